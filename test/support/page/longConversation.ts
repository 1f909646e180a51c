import type { ChatItem, ChatState, ToolCallPart } from '../../../src/contract/chat/chatState.ts';

/** What a model writes: paragraphs, a list, a table and code. */
export const answerText = `## What happens here

The function \`addItem\` in src/cart.js:12 adds an item to the **cart** and returns the new total. See [the documentation](https://example.com/docs).

- it checks the amount first
- then it looks up the price, which may *fail*
- [x] and at last it writes the log

| name | amount | price |
| --- | ---: | ---: |
| apples | 3 | 1.20 |
| pears | 12 | 0.80 |

\`\`\`ts
export function addItem(cart: Cart, item: Item): number {
  const price = prices.get(item.name) ?? 0; // unknown items are free
  cart.items.push({ ...item, price });
  return cart.items.reduce((sum, each) => sum + each.price * each.amount, 0);
}
\`\`\`

Nothing else changes. Tests cover both cases.`;

export function emptyState(): ChatState {
  return {
    conversationId: 'long',
    items: [],
    isRunning: false,
    provider: { kind: 'anthropic', label: 'Claude', isAi: true },
    tools: [{ server: 'editor', count: 31, state: 'ready' }],
    suggestions: [],
  };
}

export function longConversation(messages: number): ChatState {
  const items = Array.from({ length: messages }, (_, index): ChatItem => {
    const id = `item${index}`;
    return index % 2 === 0
      ? { kind: 'user', id, text: `Question ${index}: what does this function do, and who calls it?` }
      : {
          kind: 'assistant',
          id,
          state: 'done',
          parts: [call(`call${index}`), { kind: 'text', id: `text${index}`, text: answerText }],
          usage: { inputTokens: 1200, outputTokens: 230 },
        };
  });
  return { ...emptyState(), items };
}

function call(id: string): ToolCallPart {
  return {
    kind: 'toolCall',
    id,
    server: 'editor',
    tool: 'read_file',
    state: 'done',
    arguments: '{"path":"src/cart.js"}',
    result: [{ kind: 'text', text: 'export function addItem() {}\n'.repeat(20) }],
    resultBytes: 580,
    elapsedMs: 12,
  };
}
