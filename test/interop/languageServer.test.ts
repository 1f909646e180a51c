import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import esbuild from 'esbuild';
import {
  CodeActionRequest,
  CodeLensRefreshRequest,
  CodeLensRequest,
  CompletionRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  IPCMessageReader,
  IPCMessageWriter,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  type Diagnostic,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { liveMethods } from '../../src/contract/configurationHelp.ts';

const uri = 'vscode-userdata:/User/settings.json';
const bad = '{\n  "duplex.mcpServers": { "demo": { "url": "nowhere" } }\n}';

/** As `esbuild.mjs` builds it and as the extension starts it: an ES module, forked, talking over Node's own channel. */
describe('The bundled language server', function () {
  this.timeout(20_000);
  let folder: string;
  let server: ChildProcess;
  let connection: ProtocolConnection;
  let published: (diagnostics: readonly Diagnostic[]) => void = () => undefined;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'duplex-language-server-'));
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await esbuild.build({
      entryPoints: { languageServer: path.resolve(import.meta.dirname, '../../src/languageServer/main.ts') },
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'silent',
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    server = fork(path.join(folder, 'languageServer.js'), ['--node-ipc', `--clientProcessId=${process.pid}`], {
      execArgv: [],
      silent: true,
    });
    connection = createProtocolConnection(new IPCMessageReader(server), new IPCMessageWriter(server));
    connection.onNotification(PublishDiagnosticsNotification.type, ({ diagnostics }) => published(diagnostics));
    connection.listen();
    await connection.sendRequest('initialize', {
      processId: process.pid,
      capabilities: { workspace: { codeLens: { refreshSupport: true } } },
    });
    await connection.sendNotification(InitializedNotification.type, {});
  });
  afterEach(() => {
    connection.dispose();
    server.kill('SIGKILL');
  });

  /** What is published after `act`. */
  async function diagnosticsAfter(act: () => Promise<void>): Promise<readonly Diagnostic[]> {
    const next = new Promise<readonly Diagnostic[]>((resolve) => {
      published = resolve;
    });
    await act();
    return next;
  }

  function open(text: string, languageId = 'jsonc'): Promise<void> {
    return connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId, version: 1, text } });
  }

  it('publishes the problems of a document, again after each change, and none once it is closed', async () => {
    const start = { line: 1, character: bad.split('\n')[1]?.indexOf('"nowhere"') ?? -1 };
    const end = { line: 1, character: start.character + '"nowhere"'.length };
    const problem = {
      range: { start, end },
      severity: 1,
      code: 'badUrl',
      source: 'Duplex',
      message: '“nowhere” is not a complete URL.',
      data: { code: 'badUrl', args: { url: 'nowhere' } },
    };
    assert.deepEqual(await diagnosticsAfter(() => open(bad)), [problem]);

    const change = { textDocument: { uri, version: 2 }, contentChanges: [{ range: problem.range, text: '"http://a.example"' }] };
    const changed = await diagnosticsAfter(() => connection.sendNotification(DidChangeTextDocumentNotification.type, change));
    assert.deepEqual(
      changed.map(({ code, severity }) => [code, severity]),
      [['plainHttp', 2]],
    );

    const close = { textDocument: { uri } };
    assert.deepEqual(await diagnosticsAfter(() => connection.sendNotification(DidCloseTextDocumentNotification.type, close)), []);
  });

  it('completes and explains keys', async () => {
    await open(bad);
    const place = { textDocument: { uri }, position: { line: 1, character: bad.split('\n')[1]?.indexOf('url"') ?? -1 } };
    const items = await connection.sendRequest(CompletionRequest.type, place);
    assert.ok(Array.isArray(items) && items.some(({ label }) => label === 'command'));
    const hover = await connection.sendRequest(HoverRequest.type, place);
    assert.deepEqual(hover?.contents, { kind: 'markdown', value: 'The address of a remote server.' });
  });

  it('offers what mends a problem, and what stands above each server as the editor says it', async () => {
    const text = '{\n  "duplex.mcpServers": { "demo": { "comand": "x" } }\n}';
    const asked: unknown[] = [];
    connection.onRequest(liveMethods.lenses, (params: unknown) => {
      asked.push(params);
      return [[{ title: 'Start', command: 'duplex.startServer', serverId: 'user:demo' }]];
    });
    await diagnosticsAfter(() => open(text));
    const range = { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } };
    const actions = await connection.sendRequest(CodeActionRequest.type, { textDocument: { uri }, range, context: { diagnostics: [] } });
    assert.deepEqual(
      actions?.map(({ title }) => title),
      ['Change to "command"', 'Disable “demo”'],
    );
    const lenses = await connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
    assert.deepEqual(
      lenses?.map(({ command }) => command),
      [{ title: 'Start', command: 'duplex.startServer', arguments: [{ server: { id: 'user:demo' } }] }],
    );
    assert.deepEqual(asked, [{ uri, names: ['demo'] }]);
  });

  it('asks for the lenses to be drawn anew when the editor says that servers changed', async () => {
    const refreshed = new Promise<void>((resolve) => {
      connection.onRequest(CodeLensRefreshRequest.type, () => resolve());
    });
    await connection.sendNotification(liveMethods.changed);
    await refreshed;
  });

  it('survives a file of brackets and one of five megabytes, and answers about the next one', async () => {
    const place = { textDocument: { uri }, position: { line: 0, character: 10 } };
    for (const text of [
      '['.repeat(300_000),
      `{ "x": "${'x'.repeat(5_000_000)}", "duplex.mcpServers": { "demo": {} } }`,
      '{ "duplex.mcpServers": { "demo": { "command": "',
    ]) {
      await open(text);
      await connection.sendRequest(HoverRequest.type, place);
      await connection.sendRequest(CompletionRequest.type, place);
      await connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
      await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
    }
    const problems = new Promise<readonly Diagnostic[]>((resolve) => {
      published = (diagnostics) => (diagnostics.length > 0 ? resolve(diagnostics) : undefined);
    });
    await open(bad);
    assert.deepEqual(
      (await problems).map(({ code }) => code),
      ['badUrl'],
    );
  });

  it('ends when it is asked to', async () => {
    const ended = once(server, 'exit');
    await connection.sendRequest(ShutdownRequest.type);
    await connection.sendNotification(ExitNotification.type);
    assert.deepEqual(await ended, [0, null]);
  });

  it('ends at once when the window is gone', async () => {
    const ended = once(server, 'exit');
    server.disconnect();
    assert.deepEqual(await ended, [0, null]);
  });
});
