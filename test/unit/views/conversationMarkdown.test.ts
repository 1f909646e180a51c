import assert from 'node:assert/strict';
import type { SavedConversation } from '../../../src/chat/conversationFile.ts';
import { conversationMarkdown } from '../../../src/views/conversationMarkdown.ts';

const english = (text: string, ...args: readonly (string | number | boolean)[]): string =>
  text.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));

describe('A conversation as a document', () => {
  it('has what was said, and what tools gave in fences that it cannot end', () => {
    const saved: SavedConversation = {
      version: 1,
      id: 'c',
      title: 'A\nname',
      messagesLeftOut: 2,
      items: [
        { kind: 'user', id: 'u', text: 'Hello' },
        {
          kind: 'assistant',
          id: 'a',
          state: 'interrupted',
          parts: [
            { kind: 'text', id: 't', text: 'Let me **see**.\n' },
            {
              kind: 'toolCall',
              id: 'c',
              server: 'demo',
              tool: 'show',
              state: 'done',
              arguments: '{}',
              result: [
                { kind: 'text', text: 'before\n```\n# not a heading of ours\n````' },
                { kind: 'image', mimeType: 'image/png', data: 'AAAA' },
              ],
              resultBytes: 1,
            },
          ],
        },
      ],
      turns: [],
      sides: [],
      queue: [],
    };
    assert.equal(
      conversationMarkdown(saved, english),
      [
        '# A name',
        '_2 older messages were not kept._',
        '## You',
        'Hello',
        '## Assistant',
        'Let me **see**.',
        '### Tool call: demo show',
        '```json\n{}\n```',
        '`````\nbefore\n```\n# not a heading of ours\n````\n`````',
        '_image/png, not part of this document_',
        '_This answer was interrupted._\n',
      ].join('\n\n'),
    );
  });
});
