import assert from 'node:assert/strict';
import { parseMarkdown } from '../../../../src/webview/markdown/parseMarkdown.ts';

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
