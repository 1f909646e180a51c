import assert from 'node:assert/strict';
import { type CopiedForm, copiedForms, writtenAs } from '../../../src/languageServer/copiedForms.ts';
import { fixesIn } from '../../../src/languageServer/fixes.ts';
import { titleOfFix } from '../../../src/languageServer/fixTitles.ts';
import { readPasted } from '../../../src/definitions/pasted/readPasted.ts';

function written(form: CopiedForm, definition: object): unknown {
  const text = writtenAs(form, 'demo', definition);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, { demo: unknown }>)[form]?.demo;
}

describe('A server in another tool’s form', () => {
  it('has the key, the words and the variables of that tool', () => {
    const own = {
      command: 'npx',
      args: ['-y', 'demo@1.0.0', '${workspaceFolder}'],
      env: { TOKEN: '${input:demo-token}', HOST: '${env:HOST}' },
      disabled: true,
      tools: { include: ['a'] },
    };
    assert.deepEqual(
      copiedForms.map((form) => written(form, own)),
      [
        { type: 'stdio', command: 'npx', args: own.args, env: own.env },
        { type: 'stdio', command: 'npx', args: own.args, env: { TOKEN: '${DEMO_TOKEN}', HOST: '${HOST}' } },
        { command: 'npx', args: own.args, env: { TOKEN: '<demo-token>', HOST: '<HOST>' } },
      ],
    );
  });

  it('is understood from every form, and read again by Duplex', () => {
    const zed = { command: { path: 'node', args: ['a.js'], env: { A: '${B:-c}' } } };
    assert.deepEqual(written('servers', zed), { type: 'stdio', command: 'node', args: ['a.js'], env: { A: 'c' } });
    const windsurf = { serverUrl: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } };
    assert.deepEqual(written('servers', windsurf), {
      type: 'http',
      url: 'https://x.example/mcp',
      headers: { Authorization: 'Bearer ${env:TOKEN}' },
    });
    assert.equal(written('servers', { nothing: true }), undefined);
    for (const form of copiedForms) {
      const pasted = readPasted(writtenAs(form, 'demo', zed) ?? '');
      assert.ok(pasted.kind === 'servers');
      assert.deepEqual([pasted.servers[0]?.name, pasted.servers[0]?.definition['command']], ['demo', 'node'], form);
    }
  });

  it('is offered where it stands, for the forms of other files, and changes nothing in this one', async () => {
    const text = '{ "servers": { "demo": { "command": "x" } } }';
    const at = text.indexOf('"demo"') + 2;
    const fixes = await fixesIn({ text, kind: 'vscodeMcp', start: at, end: at, versionOf: () => Promise.resolve(undefined) });
    const copies = fixes.filter(({ copied }) => copied !== undefined);
    assert.deepEqual(copies.map(titleOfFix), ['Copy “demo” in the form of “mcpServers”', 'Copy “demo” in the form of “context_servers”']);
    assert.ok(copies.every(({ changes }) => changes.length === 0));
  });
});
