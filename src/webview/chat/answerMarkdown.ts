import type { AssistantItem } from '../../contract/chatState.ts';

/** What the model wrote, as it wrote it; calls and their results are not its words. */
export function answerMarkdown({ parts }: AssistantItem): string {
  return parts
    .flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n');
}
