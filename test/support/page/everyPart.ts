import type { Attachment } from '../../../src/contract/chat/attachments.ts';
import type { ChatItem, ChatPart, ChatState, ToolCallPart } from '../../../src/contract/chat/chatState.ts';
import { answerText, emptyState } from './longConversation.ts';

/** Eight by eight points, dark and light. */
const chessboard =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAPklEQVR42u3UoRUAIAhFUQZz/1Gcg4LRAJFzaT94my9O3a3r7gCsAKYP3wbsAPwFgB4A9ACgBwA9AOgB4LMTYPoQiOJQgpcAAAAASUVORK5CYII=';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
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
  call('draw', { result: [{ kind: 'image', mimeType: 'image/png', data: chessboard }] }),
  call('find', {
    result: [
      { kind: 'link', uri: 'https://example.com/a', name: 'The page' },
      { kind: 'link', uri: 'demo://one', name: '' },
    ],
  }),
  call('speak', { result: [{ kind: 'audio', mimeType: 'audio/wav', data: silence }] }),
  call('read_log', {
    result: [{ kind: 'text', text: 'line of a long log\n'.repeat(30) }],
    resultBytes: 2_400_000,
    kept: { id: 'kept', bytes: 2_400_000 },
  }),
  call('break', { state: 'failed', error: 'The server said no.', startedAtMs: 700, elapsedMs: 200 }),
  call('forbidden', { state: 'denied' }),
  call('count', { state: 'running', progress: { value: 3, total: 8, message: 'Counting the third of eight' } }),
];

/** What comes with thoughts, attachments, content of servers, edits and a summary. */
const around: readonly ChatPart[] = [
  { kind: 'thinking', id: 'thinking', text: 'The total is wrong, so **price** and amount may be mixed up.', elapsedMs: 4_200 },
  {
    kind: 'content',
    id: 'content',
    server: 'demo',
    source: { kind: 'resource', uri: 'demo://prices', name: 'prices.csv' },
    state: 'sent',
    items: [{ kind: 'text', name: 'demo://prices', pieces: ['apples,1.20\npears,0.80\nkey,', 1] }],
    bytes: 36,
    removedSecrets: 1,
    keptSecrets: [],
  },
  {
    kind: 'compaction',
    id: 'compaction',
    state: 'done',
    by: 'itself',
    summary: 'The person asked about the cart; its total was wrong.',
    tokensBefore: 52_000,
    tokensAfter: 1_800,
  },
];

const edits: ChatPart = {
  kind: 'edits',
  id: 'edits',
  files: [
    { path: 'src/cart.js', change: 'changed', kept: 'one' },
    { path: 'src/prices.js', change: 'created', kept: 'two' },
    { path: 'src/deeply/nested/folder/with/a/long/name/old.js', change: 'deleted', undo: 'changedSince', kept: 'three' },
  ],
};

const attachments: readonly Attachment[] = [
  { id: 'file', kind: 'file', name: 'src/cart.js', bytes: 1_200, outcome: 'sent' },
  { id: 'problems', kind: 'diagnostics', name: '', bytes: 310, secrets: 1, outcome: 'sent' },
  { id: 'resource', kind: 'resource', name: 'demo://prices', server: 'demo', outcome: 'denied' },
];

const rightToLeft = 'שלום, זה טקסט מימין לשמאל.\n\n- אחד\n- שניים';
const wide = `| ${'column | '.repeat(9)}\n|${' --- |'.repeat(9)}\n| ${'a longer text in a cell | '.repeat(9)}`;
const tasks = '- [x] write it\n- [ ] read it\n\n> A quoted line\n\n```diff\n-old line\n+new line\n```';

const usage = { inputTokens: 12_200, outputTokens: 230, cacheReadTokens: 10_000, cacheWrittenTokens: 900 };
const cost = {
  model: 'claude-sonnet-4-5',
  usd: 0.0123,
  pricesAsOf: '2026-01-01',
  servers: [{ server: 'demo', calls: 10, tokens: 4_100, usd: 0.004 }],
};

/** A conversation with every kind of part that needs no question. */
export function everyPart(): ChatState {
  const parts: readonly ChatPart[] = [
    { kind: 'notice', id: 'notice', text: 'The server “slow” is still starting.' },
    ...around,
    { kind: 'text', id: 'first', text: 'I look at the cart first.' },
    ...calls,
    { kind: 'text', id: 'second', text: [answerText, tasks, wide, rightToLeft].join('\n\n') },
    edits,
  ];
  const items: ChatItem[] = [
    { kind: 'user', id: 'question', text: 'What is wrong with the cart?', attachments: [...attachments] },
    { kind: 'assistant', id: 'answer', state: 'done', parts: [...parts], usage, cost, feedback: 'up' },
    { kind: 'user', id: 'again', text: 'Mend it.' },
    { kind: 'assistant', id: 'interrupted', state: 'interrupted', parts: [{ kind: 'text', id: 'begun', text: 'I begin with the' }] },
    { kind: 'user', id: 'once-more', text: 'Go on.' },
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
