import assert from 'node:assert/strict';
import type { SavedConversation } from '../../../../src/chat/conversation/conversationFile.ts';
import { conversationMarkdown } from '../../../../src/views/chat/conversationMarkdown.ts';

const english = (text: string, ...args: readonly (string | number | boolean)[]): string =>
  text.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));

const savedWith = (items: SavedConversation['items']): SavedConversation => ({
  version: 1,
  id: 'c',
  title: 't',
  items,
  turns: [],
  sides: [],
  queue: [],
});

describe('A conversation as a document', () => {
  it('has what was said, and what tools gave in fences that it cannot end', async () => {
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
      await conversationMarkdown(saved, english),
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

  it('loads nothing, and takes no name for more than a name', async () => {
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
      await conversationMarkdown(saved, english),
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

  it('lets no message speak as somebody else, or swallow what comes after it', async () => {
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
    const [, , answer = '', ...after] = (await conversationMarkdown(saved, english)).split('\n\n');
    assert.ok(
      answer.split(/[\r\n]/).every((line) => line.startsWith('>')),
      answer,
    );
    assert.deepEqual(after, ['## You', '> No.\n']);
  });

  it('keeps of HTML only what can name no address, and no element that would swallow what follows', async () => {
    const shown = async (text: string): Promise<string> => {
      const quoted = (await conversationMarkdown(savedWith([{ kind: 'user', id: 'u', text }]), english)).split('\n\n');
      return quoted.slice(2).join('\n\n').trimEnd().replace(/^> ?/gm, '');
    };
    for (const kept of [
      'vec<T>',
      'Map<string, Array<number>>',
      '<br/> <b>bold</b> <details>',
      'a < b && c > d',
      '<https://example.org/a>',
    ]) {
      assert.equal(await shown(kept), kept);
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
      assert.equal(await shown(text), text.replace('<', '< ').trimEnd(), text);
    }
  });

  it('says the same of a long text as of its parts, and lets others work in between', async () => {
    const part = [
      'a\u0301 ![x](u) !',
      '[y] <b',
      'c> <div style=x> <<i> </p\r\n> \\<pre',
      `e${'\u0301'.repeat(40)} ${'\u200B'.repeat(9)}\u202E\u00A0\u00A0\u2764\uFE0F \u{1F600}\uFE0F\uFE0F ${' '.repeat(60)}x  `,
      '```` `````` `\t_*|~&#',
      `${'\u4F60\u597D'.repeat(50)}\rend.`,
    ].join('\n');
    const count = 500;
    const documentOf = async (text: string): Promise<{ readonly sections: readonly string[]; readonly turns: number }> => {
      let turns = 0;
      const call = { kind: 'toolCall', id: 'c', server: 's', tool: 't', state: 'failed', arguments: '{}', resultBytes: 0 } as const;
      const items: SavedConversation['items'] = [
        { kind: 'user', id: 'u', text },
        { kind: 'assistant', id: 'a', state: 'done', parts: [{ ...call, error: text, result: [{ kind: 'text', text }] }] },
      ];
      const takeTurn = (): Promise<void> => Promise.resolve(void (turns += 1));
      const written = await conversationMarkdown(savedWith(items), english, takeTurn);
      return { sections: written.split('\n\n'), turns };
    };
    const repeat = (each: string, between: string): string => Array.from({ length: count }, () => each).join(between);
    const [short, long] = [await documentOf(part), await documentOf(repeat(part, '\n'))];
    const [, , said = '', , , , result = '', error = ''] = short.sections;
    const [fence = '', ...lines] = result.split('\n').slice(0, -1);
    assert.deepEqual(
      [long.sections[2], long.sections[6], long.sections[7]],
      [repeat(said, '\n'), `${fence}\n${repeat(lines.join('\n'), '\n')}\n${fence}`, `_${repeat(error.slice(1, -2), ' ')}_\n`],
    );
    const rewrites = 4; // what was said is rewritten twice
    assert.ok(long.turns >= (rewrites * part.length * count) / 32_768, `${long.turns} turns`);
  });
});
