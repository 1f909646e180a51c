import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import type { FileEdit } from '../../../src/definitions/movedSecret.ts';
import type { DocumentKind } from '../../../src/languageServer/documents.ts';
import { type Fix, fixesIn, slipsBetween } from '../../../src/languageServer/fixes.ts';
import { titleOfFix } from '../../../src/languageServer/fixTitles.ts';

/** The fixes for everything in a document; versions of packages are as given. */
function fixesOf(text: string, kind: DocumentKind, versions: Readonly<Record<string, string>> = {}): Promise<readonly Fix[]> {
  return fixesIn({ text, kind, start: 0, end: text.length, versionOf: (name) => Promise.resolve(versions[name]) });
}

function changed(text: string, changes: readonly FileEdit[]): string {
  return [...changes].reverse().reduce((rest, { start, end, newText }) => rest.slice(0, start) + newText + rest.slice(end), text);
}

/** What each fix for a problem is called, and the document after it. */
async function mended(
  document: unknown,
  kind: DocumentKind,
  versions: Readonly<Record<string, string>> = {},
): Promise<[string, unknown][]> {
  const text = JSON.stringify(document, undefined, 2);
  const fixes = (await fixesOf(text, kind, versions)).filter(({ problem }) => problem !== undefined);
  return fixes.map((fix) => [titleOfFix(fix), parse(changed(text, fix.changes))]);
}

describe('A fix', () => {
  it('corrects a key that was mistyped, inner ones included, and guesses nothing else', async () => {
    const wrong = { 'duplex.mcpServers': { demo: { command: 'x', agrs: ['a'], tools: { includes: [] } } } };
    assert.deepEqual(
      (await mended(wrong, 'settings')).map(([title]) => title),
      ['Change to "args"', 'Change to "include"'],
    );
    assert.deepEqual((await mended(wrong, 'settings'))[0]?.[1], {
      'duplex.mcpServers': { demo: { command: 'x', args: ['a'], tools: { includes: [] } } },
    });
    assert.deepEqual(await mended({ mcpServers: { demo: { command: 'x', autoApprove: [] } } }, 'cursor'), []);
    assert.deepEqual([slipsBetween('agrs', 'args'), slipsBetween('comand', 'command'), slipsBetween('url', 'cwd')], [1, 1, 3]);
  });

  it('says another tool’s words in ours', async () => {
    const foreign = {
      mcpServers: { demo: { serverUrl: 'https://a.example/mcp' }, old: { url: 'https://b.example', type: 'streamable-http' } },
    };
    assert.deepEqual(await mended(foreign, 'cursor'), [
      ['Change to "url"', { mcpServers: { ...foreign.mcpServers, demo: { url: 'https://a.example/mcp' } } }],
      ['Change to "http"', { mcpServers: { ...foreign.mcpServers, old: { url: 'https://b.example', type: 'http' } } }],
    ]);
    const [, variable] = (await mended({ servers: { demo: { command: 'x', env: { A: '${HOME}' } } } }, 'vscodeMcp'))[0] ?? [];
    assert.deepEqual(variable, { servers: { demo: { command: 'x', env: { A: '${env:HOME}' } } } });
  });

  it('converts servers of another tool to the form of the file they stand in', async () => {
    const claude = { mcpServers: { demo: { command: 'x', args: ['${HOME}', '${PORT:-80}'], env: { A: '1' } } } };
    assert.deepEqual((await mended(claude, 'vscodeMcp')).find(([title]) => title === 'Convert to the form of this file')?.[1], {
      servers: { demo: { command: 'x', args: ['${env:HOME}', '80'], env: { A: '1' } } },
    });
    const zed = { context_servers: { demo: { command: { path: 'node', args: ['a.js'], env: { A: '1' } }, enabled: false } } };
    assert.deepEqual((await mended(zed, 'cursor')).find(([title]) => title.startsWith('Convert'))?.[1], {
      mcpServers: { demo: { command: 'node', args: ['a.js'], env: { A: '1' }, disabled: true } },
    });
    const vscode = { servers: { demo: { command: 'x', env: { A: '${env:HOME}' }, type: 'stdio' } } };
    assert.deepEqual((await mended(vscode, 'mcpJson')).find(([title]) => title.startsWith('Convert'))?.[1], {
      mcpServers: { demo: { command: 'x', env: { A: '${HOME}' }, type: 'stdio' } },
    });
    const both = { servers: {}, mcpServers: { demo: { command: 'x' } } };
    assert.deepEqual(await mended(both, 'vscodeMcp'), []);
  });

  it('adds the input that is missing, to those of the file or with a list of its own', async () => {
    const server = { demo: { command: 'x', env: { A: '${input:api-key}' } } };
    const input = { id: 'api-key', type: 'promptString', description: 'api-key', password: true };
    assert.deepEqual(await mended({ servers: server }, 'vscodeMcp'), [
      ['Add the input “api-key” to this file', { inputs: [input], servers: server }],
    ]);
    const other = { id: 'other', type: 'promptString' };
    assert.deepEqual((await mended({ servers: server, inputs: [other] }, 'vscodeMcp'))[0]?.[1], {
      servers: server,
      inputs: [other, input],
    });
    const workspace = { folders: [], settings: { 'duplex.mcpServers': server } };
    assert.deepEqual((await mended(workspace, 'workspaceFile'))[0]?.[1], {
      folders: [],
      settings: { 'duplex.inputs': [input], 'duplex.mcpServers': server },
    });
    assert.deepEqual(await mended({ mcpServers: server }, 'mcpJson'), []);
  });

  it('starts a program without the shell of Windows', async () => {
    const shell = { 'duplex.mcpServers': { demo: { command: 'cmd', args: ['/c', 'npx', '-y', 'a@1.0.0'] } } };
    assert.deepEqual(await mended(shell, 'settings'), [
      ['Start “npx” without “cmd /c”', { 'duplex.mcpServers': { demo: { command: 'npx', args: ['-y', 'a@1.0.0'] } } }],
    ]);
  });

  it('pins a package to the version that is on this machine, and never to another', async () => {
    const npx = (spec: string): unknown => ({ mcpServers: { demo: { command: 'npx', args: ['-y', spec] } } });
    const known = { '@scope/server': '1.2.3' };
    assert.deepEqual(await mended(npx('@scope/server@latest'), 'mcpJson', known), [
      ['Pin to 1.2.3, which this machine has', npx('@scope/server@1.2.3')],
    ]);
    assert.deepEqual(await mended(npx('unknown-server'), 'mcpJson', known), []);
    const uvx = (...args: string[]): unknown => ({ mcpServers: { demo: { command: 'uvx', args } } });
    const title = 'Pin to 2025.8.1, which this machine has';
    const fetched = { 'mcp-server-git': '2025.8.1' };
    for (const [before, after] of [
      [
        ['mcp-server-git', '--here'],
        ['mcp-server-git@2025.8.1', '--here'],
      ],
      [['mcp-server-git@latest'], ['mcp-server-git@2025.8.1']],
      [
        ['--from', 'mcp-server-git>=1', 'run'],
        ['--from', 'mcp-server-git==2025.8.1', 'run'],
      ],
      [
        ['--from=mcp-server-git', 'run'],
        ['--from=mcp-server-git==2025.8.1', 'run'],
      ],
    ] as const) {
      assert.deepEqual(await mended(uvx(...before), 'mcpJson', fetched), [[title, uvx(...after)]]);
    }
    assert.deepEqual(await mended(uvx('mcp-server-git[extra]'), 'mcpJson', fetched), []);
    assert.deepEqual(await mended(uvx('server'), 'mcpJson', fetched), []);
  });

  it('leaves a secret to the editor where the file can name inputs, and names a variable elsewhere', async () => {
    const server = { demo: { command: 'x', env: { GITHUB_TOKEN: 'ghp_abcdefgh' } } };
    const text = JSON.stringify({ servers: server });
    const [fix] = await fixesOf(text, 'vscodeMcp');
    assert.ok(fix);
    assert.deepEqual(
      { title: titleOfFix(fix), changes: fix.changes, secret: fix.secret },
      {
        title: 'Move “GITHUB_TOKEN” to the secret storage',
        changes: [],
        secret: { server: 'demo', definition: ['servers', 'demo'], path: ['env', 'GITHUB_TOKEN'], inputs: ['inputs'] },
      },
    );
    assert.deepEqual(await mended({ mcpServers: server }, 'mcpJson'), [
      [
        'Replace by ${GITHUB_TOKEN}, which you set yourself',
        { mcpServers: { demo: { command: 'x', env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' } } } },
      ],
    ]);
    const placeholder = JSON.stringify({ servers: { demo: { command: 'x', env: { GITHUB_TOKEN: '<YOUR_TOKEN>' } } } });
    assert.deepEqual((await fixesOf(placeholder, 'vscodeMcp')).map(titleOfFix).slice(0, 1), [
      'Ask for “GITHUB_TOKEN” when the server starts',
    ]);
  });

  it('disables a server, in the style of its definition', async () => {
    const text = '{\n  "mcpServers": {\n    "demo": {\n      "command": "x"\n    }\n  }\n}';
    const at = text.indexOf('"demo"');
    const context = { text, kind: 'mcpJson', start: at, end: at, versionOf: () => Promise.resolve(undefined) } as const;
    const [fix] = await fixesIn(context);
    assert.ok(fix);
    assert.equal(titleOfFix(fix), 'Disable “demo”');
    assert.equal(changed(text, fix.changes), text.replace('"command"', '"disabled": true,\n      "command"'));
    assert.deepEqual(await fixesIn({ ...context, start: 0, end: 0 }), []);
  });

  it('is found in malformed text too, or not at all, without harm', async () => {
    const text = '{ "mcpServers": { "demo": { "command": "x", "agrs": ["a"], "env": { "TOKEN": "abcdef", } ';
    for (let length = 0; length <= text.length; length += 1) {
      for (const kind of ['settings', 'vscodeMcp', 'mcpJson', 'cursor'] as const) {
        await assert.doesNotReject(fixesOf(text.slice(0, length), kind));
      }
    }
  });
});
