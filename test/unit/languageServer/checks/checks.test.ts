import assert from 'node:assert/strict';
import { fetchedPackage } from '../../../../src/languageServer/checks/checkCommand.ts';
import type { DocumentKind } from '../../../../src/languageServer/documents.ts';
import { sentenceOf } from '../../../../src/languageServer/problem.ts';
import { ownTime } from '../../../support/longestBlock.ts';
import { validate } from '../../../../src/languageServer/checks/validate.ts';

const token = 'ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX';

/** Each problem as "severity code text-it-stands-on". */
function problemsIn(document: unknown, kind: DocumentKind): string[] {
  const text = JSON.stringify(document);
  return validate(text, kind).map(({ severity, code, start, end }) => `${severity} ${code} ${text.slice(start, end)}`);
}

function problemsOf(definition: unknown): string[] {
  return problemsIn({ 'duplex.mcpServers': { demo: definition } }, 'settings');
}

describe('A secret in an argument or a URL', () => {
  it('is warned about where it stands, and is never in the sentence', () => {
    assert.deepEqual(problemsOf({ command: 'x', args: ['--api-key', token, `--token=${token}`, 'plain'] }), [
      `warning secretInArgument ${token}`,
      `warning secretInArgument ${token}`,
    ]);
    assert.deepEqual(problemsOf({ url: `https://a.example/mcp?api_key=${token}` }), [`warning secretInUrl ${token}`]);
    assert.deepEqual(problemsOf({ url: 'https://me:hunter2@a.example/mcp' }), ['warning secretInUrl "https://me:hunter2@a.example/mcp"']);
    for (const definition of [{ command: 'x', args: ['--api-key', token] }, { url: `https://a.example/mcp?api_key=${token}` }]) {
      const sentences = validate(JSON.stringify({ mcpServers: { demo: definition } }), 'mcpJson').map(sentenceOf);
      assert.ok(sentences.length === 1 && !sentences[0]?.includes(token), sentences.join());
    }
  });

  it('is none when a variable stands there', () => {
    assert.deepEqual(problemsOf({ command: 'x', args: ['--api-key', '${env:KEY}', '--token=${env:TOKEN}'] }), []);
    assert.deepEqual(problemsOf({ url: 'https://a.example/mcp?api_key=${env:KEY}' }), []);
    assert.deepEqual(problemsOf({ url: 'https://me:${env:PASS}@a.example/mcp' }), []);
  });
});

describe('A package that is fetched', () => {
  it('is hinted at when it has no exact version', () => {
    const hint = (text: string): string[] => [`hint unpinnedPackage "${text}"`];
    for (const spec of ['server', 'server@latest', '@scope/server', '@scope/server@^1.2.3']) {
      assert.deepEqual(problemsOf({ command: 'npx', args: ['-y', spec] }), hint(spec), spec);
    }
    for (const spec of [
      'server@1.2.3',
      '@scope/server@1.2.3-beta.1',
      'github:me/server',
      './server',
      '/bin/server',
      'server@${env:VERSION}',
    ]) {
      assert.deepEqual(problemsOf({ command: 'npx', args: ['-y', spec] }), [], spec);
    }
    assert.deepEqual(problemsOf({ command: 'npx', args: ['-y', '--package=server', 'run'] }), hint('--package=server'));
    assert.deepEqual(problemsOf({ command: 'uvx', args: ['--from', 'server', 'run'] }), hint('server'));
    assert.deepEqual(problemsOf({ command: 'uvx', args: ['server'] }), hint('server'));
    for (const args of [['server==1.2'], ['server@1.2.3'], ['--from', 'git+https://a.example/x', 'run'], []]) {
      assert.deepEqual(problemsOf({ command: 'uvx', args }), [], args.join(' '));
    }
    assert.deepEqual(problemsOf({ command: 'node', args: ['server'] }), []);
  });

  it('is the same through a path, an ending of Windows and its shell', () => {
    const server = { runner: 'npx', name: 'server', version: '', prefix: '' };
    assert.deepEqual(fetchedPackage('/usr/bin/npx', ['server']), { ...server, index: 0 });
    assert.deepEqual(fetchedPackage('C:\\node\\npx.cmd', ['-y', 'server']), { ...server, index: 1 });
    assert.deepEqual(fetchedPackage('cmd.exe', ['/C', 'npx', '-y', 'server']), { ...server, index: 3 });
    assert.equal(fetchedPackage('npx', ['--strange', 'value', 'server']), undefined);
  });
});

describe('The shell of Windows before a program', () => {
  it('is not needed in our own settings, and only hinted at in files of tools that need it', () => {
    const definition = { command: 'cmd', args: ['/c', 'npx', 'a@1.0.0'] };
    assert.deepEqual(problemsOf(definition), ['warning needlessShell "cmd"']);
    assert.deepEqual(problemsIn({ mcpServers: { demo: definition } }, 'claudeDesktop'), ['hint needlessShell "cmd"']);
    assert.deepEqual(problemsOf({ command: 'cmd', args: ['/c', 'start.bat'] }), []);
  });
});

describe('A file of another tool', () => {
  it('of Cursor is read like the others', () => {
    assert.deepEqual(problemsIn({ mcpServers: { demo: {} } }, 'cursor'), ['error neitherCommandNorUrl "demo"']);
    assert.deepEqual(problemsIn({ mcpServers: { demo: { url: 'https://a.example', oauth: {} } } }, 'cursor'), []);
  });

  it('keeps its servers under its own key, and what stands under another is read and told', () => {
    assert.deepEqual(problemsIn({ mcpServers: { demo: { command: 'x', env: { TOKEN: 'abc' } } } }, 'vscodeMcp'), [
      'warning wrongSection "mcpServers"',
      'warning secretInPlainText "abc"',
    ]);
    assert.deepEqual(problemsIn({ servers: { demo: { command: 'x' } } }, 'cursor'), ['warning wrongSection "servers"']);
    assert.deepEqual(problemsIn({ context_servers: { demo: { command: 'x' } } }, 'mcpJson'), ['warning wrongSection "context_servers"']);
    assert.deepEqual(problemsIn({ servers: [], mcpServers: {} }, 'mcpJson'), []);
  });

  it('may have another tool’s word for a key', () => {
    assert.deepEqual(problemsIn({ mcpServers: { demo: { serverUrl: 'https://a.example' } } }, 'cursor'), [
      'error neitherCommandNorUrl "demo"',
      'warning otherToolsKey "serverUrl"',
    ]);
  });
});

describe('A very large configuration file', () => {
  it('of five hundred servers is checked within a second (release)', async () => {
    const definition = { command: 'npx', args: ['-y', 'server', '--api-key', token], env: { TOKEN: 'abc', A: '${input:x}' }, ulr: 1 };
    const servers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`server${index}`, definition]));
    const text = JSON.stringify({ 'duplex.mcpServers': servers }, undefined, 2);
    assert.equal(validate(text, 'settings').length, 500 * 5);
    // The language server has a process of its own; here the garbage of all other tests is collected meanwhile, so the best time counts.
    const times: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      times.push(await ownTime(() => validate(text, 'settings')));
    }
    assert.ok(Math.min(...times) < 1_000, `${Math.min(...times).toFixed(0)} ms`);
  });

  it('of five megabytes is left alone at once', async () => {
    const text = `{ "mcpServers": { "demo": {} }, "x": "${'x'.repeat(5_000_000)}" }`;
    const elapsed = await ownTime(() => assert.deepEqual(validate(text, 'mcpJson'), []));
    assert.ok(elapsed < 1_000, `${elapsed} ms`);
  });

  it('of nothing but brackets does no harm', () => {
    assert.doesNotThrow(() => validate('['.repeat(1_000_000), 'mcpJson'));
    assert.doesNotThrow(() => validate('{"a":'.repeat(300_000), 'mcpJson'));
  });
});
