import assert from 'node:assert/strict';
import type { AssistantItem } from '../../../../../src/contract/chat/chatState.ts';
import { answerMarkdown } from '../../../../../src/webview/chat/messages/answerActions.tsx';

describe('A copied answer', () => {
  it('is what the model wrote, as Markdown, without calls and notices', () => {
    const item: AssistantItem = {
      kind: 'assistant',
      id: 'a',
      state: 'done',
      parts: [
        { kind: 'text', id: '1', text: 'Let me **look**.\n' },
        {
          kind: 'toolCall',
          id: '2',
          server: 's',
          tool: 't',
          state: 'done',
          arguments: '{}',
          result: [{ kind: 'text', text: 'x' }],
          resultBytes: 1,
        },
        { kind: 'text', id: '3', text: ' ' },
        { kind: 'notice', id: '4', text: 'n' },
        { kind: 'text', id: '5', text: '- one\n- two' },
      ],
    };
    assert.equal(answerMarkdown(item), 'Let me **look**.\n\n- one\n- two');
  });
});
