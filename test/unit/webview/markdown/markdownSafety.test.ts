import assert from 'node:assert/strict';
import { type Block, type Inline, parseMarkdown } from '../../../../src/webview/markdown/parseMarkdown.ts';
import { ownTime } from '../../../support/longestBlock.ts';

const blocks = (text: string): Block[] => parseMarkdown(text).map(({ block }) => block);
const inline = (text: string): readonly Inline[] => {
  const [first] = blocks(text);
  assert.equal(first?.kind, 'paragraph');
  return first.children;
};
const hrefs = (text: string): string[] => [...JSON.stringify(blocks(text)).matchAll(/"href":"([^"]*)"/g)].map(([, href]) => href ?? '');

describe('Markdown from a model or a server', () => {
  it('names a remote image and never loads it', () => {
    assert.deepEqual(inline('![chart](https://evil.example/x.png?secret=1)'), [
      { kind: 'image', alt: 'chart', href: 'https://evil.example/x.png?secret=1' },
    ]);
  });

  it('gives an image without a web address no address at all', () => {
    assert.deepEqual(inline('![x](data:image/svg+xml;base64,AAAA)'), [{ kind: 'image', alt: 'x' }]);
    assert.deepEqual(inline('![x](file:///etc/passwd)'), [{ kind: 'image', alt: 'x' }]);
  });

  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&#58;alert(1)',
    'java&#x0A;script:alert(1)',
    'command:workbench.action.quit',
    'vscode://publisher.extension/path',
    'vscode-insiders://x/y',
    'file:///etc/passwd',
    'data:text/html,hello',
    'blob:https://example.com/1',
    '//evil.example/x',
    '/relative',
    '#fragment',
    'https://bank.example@evil.example/',
  ]) {
    it(`shows a link to ${href} as the text it is`, () => {
      const source = `[press](${href})`;
      assert.deepEqual(inline(source), [{ kind: 'text', text: source }]);
    });
  }

  it('keeps the destination of a reference link under the same rule', () => {
    assert.deepEqual(hrefs('[press][r]\n\n[r]: command:quit'), []);
    assert.deepEqual(hrefs('[press][r]\n\n[r]: https://example.com/a'), ['https://example.com/a']);
  });

  it('says where a link really leads when its text is another address', () => {
    assert.deepEqual(inline('[https://bank.example/login](https://evil.example/login)'), [
      {
        kind: 'link',
        href: 'https://evil.example/login',
        children: [{ kind: 'text', text: 'https://bank.example/login' }],
        disguisedHost: 'evil.example',
      },
    ]);
  });

  it('shows raw HTML, SVG, scripts and comments as text', () => {
    const sources = [
      '<div onclick="x()">hi</div>',
      '<svg onload=alert(1)></svg>',
      '<script>alert(1)</script>',
      '<!-- hidden order -->',
      '<iframe src="https://evil.example"></iframe>',
    ];
    for (const source of sources) {
      assert.deepEqual(
        blocks(source).map((block) => (block.kind === 'paragraph' ? textOf(block.children) : block)),
        [/^<svg/.test(source) ? source : { kind: 'raw', text: source }],
      );
    }
    assert.equal(textOf(inline('a <img src=x onerror=alert(1)> b <b>c</b>')), 'a <img src=x onerror=alert(1)> b <b>c</b>');
  });

  it('reveals invisible characters, also those spelled as character references', () => {
    assert.equal(textOf(inline('a\u200Bb &#8203; &#x202E; &amp; &lt;i&gt;')), 'a⟨U+200B⟩b ⟨U+200B⟩ ⟨U+202E⟩ & <i>');
  });

  it('takes bounded time for text made to be slow', async () => {
    for (const unit of ['_a_', '*a ', '[', '![', '[a](', 'a@b', '**a *b ', '[a]: ', '<!--', '`', '|']) {
      const elapsed = await ownTime(() => assert.ok(blocks(unit.repeat(20_000)).length > 0));
      assert.ok(elapsed < 3_000, `${unit}: ${elapsed} ms`); // one of them took 40 seconds
    }
  });

  it('survives nesting without end and text without measure', () => {
    for (const source of [`${'>'.repeat(5000)} deep`, '1. '.repeat(20_000), 'a '.repeat(300_000)]) {
      assert.deepEqual(
        blocks(source).map(({ kind }) => kind),
        ['raw'],
      );
    }
  });
});

describe('Markdown for reading', () => {
  it('becomes headings, lists, tables, tasks and code', () => {
    assert.deepEqual(blocks('# T\n\n3. a\n4. b\n\n- [x] done\n\n| a | b |\n|---|--:|\n| `c` | d<br>e |\n\n```ts title=x\nlet a\n'), [
      { kind: 'heading', depth: 1, children: [text('T')] },
      { kind: 'list', start: 3, items: [[paragraph(text('a'))], [paragraph(text('b'))]] },
      { kind: 'list', start: undefined, items: [[paragraph({ kind: 'checkbox', checked: true }, text('done'))]] },
      {
        kind: 'table',
        align: [undefined, 'right'],
        header: [[text('a')], [text('b')]],
        rows: [[[{ kind: 'code', text: 'c' }], [text('d'), { kind: 'break' }, text('e')]]],
      },
      { kind: 'code', language: 'ts', text: 'let a' },
    ]);
  });

  it('gives a finished block the same source while the next one streams in', () => {
    const [before] = parseMarkdown('First.\n\nSec');
    const [after] = parseMarkdown('First.\n\nSecond, longer.');
    assert.equal(before?.source, after?.source);
  });
});

function text(value: string): Inline {
  return { kind: 'text', text: value };
}

function paragraph(...children: Inline[]): Block {
  return { kind: 'paragraph', children };
}

function textOf(children: readonly Inline[]): string {
  return children.map((child) => (child.kind === 'text' ? child.text : `(${child.kind})`)).join('');
}
