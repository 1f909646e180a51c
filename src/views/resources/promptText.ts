import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ServerContent } from '../../host/features/serverContent.ts';
import type { Translate } from '../sentences/translate.ts';

/** Writes what a prompt gave for the person, who reads it before any model does. Invisible characters are shown. */
export function promptPreview(content: readonly ServerContent[], t: Translate): string {
  const parts = content.map((part) => `## ${part.role === 'assistant' ? t('Assistant') : t('You')}\n\n${bodyOf(part, t)}`);
  return `${parts.length === 0 ? t('The prompt gave nothing.') : parts.join('\n\n')}\n`;
}

/** The text of a prompt for insertion into a file. Invisible characters are shown here, too: none comes into the person's file. */
export function promptInsertion(content: readonly ServerContent[]): string {
  return content
    .flatMap((part) => (part.kind === 'text' ? [revealInContent(part.text)] : part.kind === 'link' ? [revealInvisible(part.uri)] : []))
    .join('\n\n');
}

function bodyOf(part: ServerContent, t: Translate): string {
  const name = part.name === '' ? '' : `\`${revealInvisible(part.name)}\`\n\n`;
  switch (part.kind) {
    case 'text':
      return `${name}${revealInContent(part.text).trimEnd()}`;
    case 'blob':
      return `${name}${t('{0}, {1} bytes', revealInvisible(part.mimeType), Math.floor((part.data.length * 3) / 4))}`;
    case 'link':
      return `${name}${revealInvisible(part.uri)}`;
  }
}
