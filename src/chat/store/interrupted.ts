import type { AssistantItem, ChatPart } from '../../contract/chatState.ts';
import type { Turn } from '../history.ts';
import type { ModelMessage } from '../modelProvider.ts';

const maxNamedCalls = 20;
const maxNameLength = 100;

/**
 * So that an answer that was cut off with its window can go on: the model is told what it had written since its last complete
 * round, and which calls it had begun, for nobody knows any more what they returned. Nothing that was shown is lost.
 */
export function prepareToResume(turn: Turn, item: AssistantItem): Turn {
  const since = item.parts.slice(turn.safe.parts);
  const text = since.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const calls = since.flatMap(describeCall).slice(0, maxNamedCalls);
  if (text.trim() === '' && calls.length === 0) {
    return { ...turn, messages: turn.messages.slice(0, turn.safe.messages) };
  }
  const said: readonly ModelMessage[] = text.trim() === '' ? [] : [{ role: 'assistant', content: [{ type: 'text', text }] }];
  const lines = [
    'The editor was closed in the middle of your answer. Continue exactly where you stopped.',
    ...(calls.length === 0 ? [] : ['Tool calls of this answer whose results were lost; look before you make one of them again:', ...calls]),
  ];
  const go: ModelMessage = { role: 'user', content: [{ type: 'text', text: lines.join('\n') }] };
  return {
    ...turn,
    messages: [...turn.messages.slice(0, turn.safe.messages), ...said, go],
  };
}

function describeCall(part: ChatPart): readonly string[] {
  if (part.kind !== 'toolCall') {
    return [];
  }
  const ends = { done: 'it had finished', failed: 'it had failed', denied: 'it was not allowed', cancelled: 'it may have run' };
  const end = part.state === 'waiting' || part.state === 'running' ? ends.cancelled : ends[part.state];
  return [`- ${quoted(part.tool)} of the server ${quoted(part.server)}: ${end}`];
}

/** Others chose these names. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, maxNameLength));
}
