import assert from 'node:assert/strict';
import { fileReferenceOf, linkedFile, splitFileReferences } from '../../../../src/webview/markdown/fileReferences.ts';
import { type Inline, parseMarkdown } from '../../../../src/webview/markdown/parseMarkdown.ts';
import { ownTime } from '../../../support/longestBlock.ts';

const inline = (text: string): readonly Inline[] => {
  const block = parseMarkdown(text)[0]?.block;
  assert.equal(block?.kind, 'paragraph');
  return block.children;
};
const cart = { path: 'src/cart.js', line: 3 };

describe('A file that a text names', () => {
  it('is a link to its line, in text, in inline code and as a relative link', () => {
    assert.deepEqual(inline('See src/cart.js:3, `src/cart.js:3` and [the cart](./src/cart.js#L3).'), [
      { kind: 'text', text: 'See ' },
      { kind: 'file', reference: cart, children: [{ kind: 'text', text: 'src/cart.js:3' }] },
      { kind: 'text', text: ', ' },
      { kind: 'file', reference: cart, children: [{ kind: 'code', text: 'src/cart.js:3' }] },
      { kind: 'text', text: ' and ' },
      { kind: 'file', reference: cart, children: [{ kind: 'text', text: 'the cart' }] },
      { kind: 'text', text: '.' },
    ]);
  });

  it('may have a column, brackets around it, spaces and other alphabets in a link', () => {
    assert.deepEqual(splitFileReferences('(lib/größe.ts:10:4)'), [
      '(',
      { text: 'lib/größe.ts:10:4', reference: { path: 'lib/größe.ts', line: 10, character: 4 } },
      ')',
    ]);
    assert.deepEqual(linkedFile('my%20notes/a.md'), { path: 'my notes/a.md' });
    assert.deepEqual(linkedFile('src/a.ts#L3-L9'), { path: 'src/a.ts', line: 3 });
    assert.deepEqual(linkedFile('Makefile:12'), { path: 'Makefile', line: 12 });
  });

  for (const text of [
    'at 12:30',
    'ratio 3:1',
    'localhost:3000',
    'example.com:8080',
    '../up.js:3',
    '/etc/passwd.txt:3',
    'a.js:3x',
    '~/x.js:1',
    'C:\\x.js:3',
  ]) {
    it(`is not in “${text}”`, () => {
      assert.deepEqual(splitFileReferences(text), [text]);
      assert.equal(fileReferenceOf(text), undefined);
    });
  }

  for (const href of [
    '../x',
    '/x',
    '//x/y',
    '#fragment',
    'a?b',
    'javascript:alert(1)',
    'C:\\x',
    '%2e%2e/x',
    'a\u200Bb.js',
    '%E0%A4%A',
    '',
  ]) {
    it(`is not behind a link to ${JSON.stringify(href)}`, () => {
      assert.equal(linkedFile(href), undefined);
    });
  }

  it('makes no link inside a link', () => {
    assert.deepEqual(inline('[**src/cart.js:3**](https://example.com/)'), [
      { kind: 'link', href: 'https://example.com/', children: [{ kind: 'strong', children: [{ kind: 'text', text: 'src/cart.js:3' }] }] },
    ]);
  });

  it('is found in bounded time, however long the text', async () => {
    const hostile = ['a.b/'.repeat(100_000), `${'a'.repeat(200_000)}:1`, ':1'.repeat(150_000), '+'.repeat(300_000)];
    const elapsed = await ownTime(() => hostile.forEach((text) => splitFileReferences(text)));
    assert.ok(elapsed < 5_000, `${elapsed} ms`);
  });
});

describe('A package and its version', () => {
  it('is no mail address', () => {
    assert.deepEqual(
      inline('Use tiny-till@1.0.0 or <left-pad@2.1.0-beta.rc>.').map(({ kind }) => kind),
      ['text', 'text', 'text', 'text', 'text'],
    );
    assert.deepEqual(
      inline('Write to a@163.com.').map((each) => (each.kind === 'link' ? each.href : each.kind)),
      ['text', 'mailto:a@163.com', 'text'],
    );
  });
});

function fileOf(markdown: string): string | undefined {
  const code = parseMarkdown(markdown).find(({ block }) => block.kind === 'code')?.block;
  return code?.kind === 'code' ? code.file : undefined;
}

describe('The file that a block of code is for', () => {
  it('is named by its info string', () => {
    for (const info of ['ts src/cart.ts', 'ts:src/cart.ts', 'src/cart.ts', 'ts title="src/cart.ts"', 'ts {file=./src/cart.ts}']) {
      assert.equal(fileOf(`\`\`\`${info}\nlet a;\n\`\`\``), 'src/cart.ts', info);
    }
  });

  it('is named by a comment in its first line, or by the end of the text above it', () => {
    for (const line of ['// src/cart.ts', '# src/cart.ts', '<!-- src/cart.ts -->', '/* src/cart.ts */']) {
      assert.equal(fileOf(`\`\`\`ts\n${line}\nlet a;\n\`\`\``), 'src/cart.ts', line);
    }
    for (const line of ['In `src/cart.ts`:', '**src/cart.ts**', '### src/cart.ts', 'Change src/cart.ts:']) {
      assert.equal(fileOf(`${line}\n\n\`\`\`ts\nlet a;\n\`\`\``), 'src/cart.ts', line);
    }
  });

  it('is none without a name, for an address, and for a way out of the workspace', () => {
    const above = [
      'Do this:',
      'See https://example.com/a.ts',
      'In `../secret.ts`:',
      'In /etc/passwd.conf:',
      'Run `npm test`.',
      'It costs 3.50',
    ];
    for (const line of above) {
      assert.equal(fileOf(`${line}\n\n\`\`\`ts\nlet a;\n\`\`\``), undefined, line);
    }
    assert.equal(fileOf('```ts\n// a comment\nlet a;\n```'), undefined);
  });
});
