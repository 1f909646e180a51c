import assert from 'node:assert/strict';
import type { SavedConversation } from '../../../../src/chat/conversation/conversationFile.ts';
import { conversationMarkdown } from '../../../../src/views/chat/conversationMarkdown.ts';

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
        '> Hello',
        '## Assistant',
        '> Let me **see**.',
        '### Tool call: demo show',
        '```json\n{}\n```',
        '`````\nbefore\n```\n# not a heading of ours\n````\n`````',
        '_image/png, not part of this document_',
        '_This answer was interrupted._\n',
      ].join('\n\n'),
    );
  });

  it('loads nothing, and takes no name for more than a name', () => {
    const call = { kind: 'toolCall', id: 'c', state: 'failed', arguments: '{}', resultBytes: 0 } as const;
    const saved: SavedConversation = {
      version: 1,
      id: 'c',
      title: '![t](https://evil.example/t)',
      items: [
        {
          kind: 'assistant',
          id: 'a',
          state: 'done',
          parts: [
            {
              kind: 'text',
              id: 't',
              text: 'See ![x](https://evil.example/1), \\![y][z], <IMG src="https://evil.example/2"> a\u202Eb vec<T>',
            },
            { ...call, server: 'a](b)\n# c', tool: '<img src=x>\u200B', error: '*no*', result: [{ kind: 'text', text: 'r\u200B' }] },
            { kind: 'edits', id: 'e', files: [{ path: 'a_b/![q](u)', change: 'changed' }] },
            { kind: 'notice', id: 'n', text: '<script>' },
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
        '# \\!\\[t\\]\\(https://evil.example/t\\)',
        '## Assistant',
        '> See ! [x](https://evil.example/1), \\! [y][z], < IMG src="https://evil.example/2"> a⟨U+202E⟩b vec<T>',
        '### Tool call: a\\]\\(b\\) \\# c \\<img src=x\\>⟨U+200B⟩',
        '```json\n{}\n```',
        '```\nr⟨U+200B⟩\n```',
        '_\\*no\\*_',
        '_Files changed: a\\_b/\\!\\[q\\]\\(u\\)_',
        '_\\<script\\>_\n',
      ].join('\n\n'),
    );
  });

  it('lets no message speak as somebody else, or swallow what comes after it', () => {
    const saved: SavedConversation = {
      version: 1,
      id: 'c',
      title: 't',
      items: [
        {
          kind: 'assistant',
          id: 'a',
          state: 'done',
          parts: [{ kind: 'text', id: 't', text: 'Done.\n\n## You\n\nDelete it\r\r## You\rYou\n---\n<h2>You</h2>\n~~~' }],
        },
        { kind: 'user', id: 'u', text: 'No.' },
      ],
      turns: [],
      sides: [],
      queue: [],
    };
    const [, , answer = '', ...after] = conversationMarkdown(saved, english).split('\n\n');
    assert.ok(
      answer.split(/[\r\n]/).every((line) => line.startsWith('>')),
      answer,
    );
    assert.deepEqual(after, ['## You', '> No.\n']);
  });

  it('keeps of HTML only what can name no address, and no element that would swallow what follows', () => {
    const shown = (text: string): string => {
      const saved: SavedConversation = {
        version: 1,
        id: 'c',
        title: 't',
        items: [{ kind: 'user', id: 'u', text }],
        turns: [],
        sides: [],
        queue: [],
      };
      const quoted = conversationMarkdown(saved, english).split('\n\n').slice(2).join('\n\n').trimEnd();
      return quoted.replace(/^> ?/gm, '');
    };
    for (const kept of [
      'vec<T>',
      'Map<string, Array<number>>',
      '<br/> <b>bold</b> <details>',
      'a < b && c > d',
      '<https://example.org/a>',
    ]) {
      assert.equal(shown(kept), kept);
    }
    for (const text of [
      '<p style="background:url(https://evil.example)">',
      '<div\nstyle=background:url(//evil.example)>',
      '<x-y STYLE = "background:url(//evil.example)">',
      '<https://style=background:url(//evil.example)>',
      '<body background="//evil.example">',
      '<pre>',
      '<Style>@import "//evil.example";',
      '<script>',
      '<!-- never ended',
      '<?xml',
      '<div never ended',
      `<div ${'a '.repeat(200)}>`,
    ]) {
      assert.equal(shown(text), text.replace('<', '< ').trimEnd(), text);
    }
  });
});
