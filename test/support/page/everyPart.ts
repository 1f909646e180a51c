import type { ChatItem, ChatPart, ChatState, ToolCallPart } from '../../../src/contract/chatState.ts';
import { answerText, emptyState } from './longConversation.ts';

/** One black dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const difference = '--- a/src/cart.js\n+++ b/src/cart.js\n@@ -1,2 +1,2 @@\n-let total = 0;\n+let total = price * amount;\n return total;\n';

function call(tool: string, more: Partial<ToolCallPart>): ToolCallPart {
  return {
    kind: 'toolCall',
    id: tool,
    server: 'demo',
    tool,
    state: 'done',
    arguments: '{"path": "src/cart.js", "lines": 12}',
    result: [],
    resultBytes: 512,
    elapsedMs: 340,
    ...more,
  };
}

const calls: readonly ChatPart[] = [
  call('list_items', {
    startedAtMs: 0,
    result: [{ kind: 'structured', json: '{"items":[{"name":"apples","amount":3},{"name":"pears","amount":12}]}' }],
  }),
  call('describe', {
    startedAtMs: 120,
    result: [{ kind: 'structured', json: '{"cart":{"total":12.5,"open":true,"tags":["a","b"]},"owner":null}' }],
  }),
  call('show_change', { startedAtMs: 500, elapsedMs: 1200, result: [{ kind: 'text', text: difference }] }),
  call('draw', { result: [{ kind: 'image', mimeType: 'image/png', data: dot }] }),
  call('find', {
    result: [
      { kind: 'link', uri: 'https://example.com/a', name: 'The page' },
      { kind: 'link', uri: 'demo://one', name: '' },
    ],
  }),
  call('break', { state: 'failed', error: 'The server said no.', startedAtMs: 700, elapsedMs: 200 }),
  call('forbidden', { state: 'denied' }),
  call('count', { state: 'running', progress: { value: 3, total: 8, message: 'Counting the third of eight' } }),
];

const rightToLeft = 'שלום, זה טקסט מימין לשמאל.\n\n- אחד\n- שניים';
const wide = `| ${'column | '.repeat(9)}\n|${' --- |'.repeat(9)}\n| ${'a longer text in a cell | '.repeat(9)}`;
const tasks = '- [x] write it\n- [ ] read it\n\n> A quoted line\n\n```diff\n-old line\n+new line\n```';

/** A conversation with every kind of part that needs no question. */
export function everyPart(): ChatState {
  const parts: readonly ChatPart[] = [
    { kind: 'notice', id: 'notice', text: 'The server “slow” is still starting.' },
    { kind: 'text', id: 'first', text: 'I look at the cart first.' },
    ...calls,
    { kind: 'text', id: 'second', text: [answerText, tasks, wide, rightToLeft].join('\n\n') },
  ];
  const items: ChatItem[] = [
    { kind: 'user', id: 'question', text: 'What is wrong with the cart?' },
    { kind: 'assistant', id: 'answer', state: 'done', parts: [...parts], usage: { inputTokens: 1200, outputTokens: 230 } },
    { kind: 'user', id: 'again', text: 'Mend it.' },
    {
      kind: 'assistant',
      id: 'failed',
      state: 'failed',
      parts: [],
      error: { message: 'The model is too busy. Try again in a moment.', detail: '529 overloaded_error', action: 'retry' },
    },
  ];
  return { ...emptyState(), items, tools: [{ server: 'demo', count: 8, state: 'needsPermission' }] };
}
