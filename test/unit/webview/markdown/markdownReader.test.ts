import assert from 'node:assert/strict';
import { MarkdownReader } from '../../../../src/webview/markdown/markdownReader.ts';
import { parseMarkdown } from '../../../../src/webview/markdown/parseMarkdown.ts';

const answer = `# Report

First *paragraph* with [a reference][r] and src/cart.js:3.
It goes on here.

- one
- two

  still two

-  three
1. other

   1. nested

2. next

| a | b |
|---|--:|
| c | d |

Setext
======

> quoted
lazy

\`\`\`ts
let a = 1;

- no list
\`\`\`

    indented

    more

<div>

<!-- a

comment -->

- [x] done
- [ ] to do\u200B

[r]: https://example.com/path
[s]: https://example.com/other

Last with [s].\r
End ❤️.
`;

describe('Markdown that streams in', () => {
  it('reads the same as when it is there at once, wherever it is cut', () => {
    for (const step of [1, 2, 3, 7, 50]) {
      const reader = new MarkdownReader();
      for (let length = 0; length <= answer.length; length += step) {
        const text = answer.slice(0, length);
        assert.deepEqual(reader.read(text), parseMarkdown(text), `after ${length} characters in steps of ${step}`);
      }
    }
  });

  it('keeps what nothing can change any more as the same objects', () => {
    const reader = new MarkdownReader();
    const before = reader.read('First.\n\nSecond.\n\nThird.\n\nFour');
    const after = reader.read('First.\n\nSecond.\n\nThird.\n\nFourth, longer.\n\n- a');
    assert.equal(before[0], after[0]);
    assert.equal(before[1], after[1]);
  });

  it('begins anew for another text', () => {
    const reader = new MarkdownReader();
    reader.read('First.\n\nSecond.\n\nThird.\n\nFourth.');
    assert.deepEqual(reader.read('Other.'), parseMarkdown('Other.'));
  });

  it('reads the last blocks again and not the whole text', () => {
    const reader = new MarkdownReader();
    let text = '';
    let before: readonly unknown[] = [];
    for (let count = 0; count < 200; count += 1) {
      text += 'Some *text* with `code` and [a link](https://example.com/).\n\n';
      const after = reader.read(text);
      assert.ok(after.filter((block, index) => block !== before[index]).length <= 3);
      before = after;
    }
  });
});
