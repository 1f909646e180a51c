import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import {
  CodeLensRefreshRequest,
  CodeLensRequest,
  createConnection,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  HoverRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeLens,
  type Connection,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { lensesParams, liveMethods, type LensesResult } from '../../../src/contract/configurationHelp.ts';
import { serve } from '../../../src/languageServer/serve.ts';
import { deferred } from '../server/support/deferred.ts';

const uri = 'file:///w/.vscode/mcp.json';
const count = 500;
const names = Array.from({ length: count }, (_, index) => `server${index}`);
const written = (more: Readonly<Record<string, unknown>> = {}): string => {
  const servers = Object.fromEntries(names.map((name) => [name, { command: 'node', args: [name], env: { A: '1' } }]));
  return JSON.stringify({ servers: { ...servers, ...more } }, undefined, 2);
};

describe('What stands above the servers of a document', () => {
  let server: Connection;
  let editor: ProtocolConnection;
  /** What the editor says of each server. */
  let state = '';
  let version = 1;
  let answering: (result: LensesResult) => LensesResult | Promise<LensesResult>;

  beforeEach(async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    server = createConnection(new StreamMessageReader(there), new StreamMessageWriter(back));
    serve(server);
    editor = createProtocolConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
    [state, version] = ['Start', 1];
    answering = (result) => result;
    const lensesFor = (name: string): LensesResult[number] =>
      names.includes(name) ? [{ title: state, command: 'duplex.startServer', serverId: name }] : [];
    editor.onRequest(liveMethods.lenses, (params: unknown) => answering(lensesParams().parse(params).names.map(lensesFor)));
    editor.listen();
    await editor.sendRequest('initialize', { processId: null, capabilities: { workspace: { codeLens: { refreshSupport: true } } } });
  });
  afterEach(async () => {
    await editor.sendRequest(ShutdownRequest.type);
    editor.dispose();
    server.dispose();
  });

  const open = (text: string): Promise<void> =>
    editor.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'jsonc', version, text } });
  const type = (text: string): Promise<void> => {
    version += 1;
    return editor.sendNotification(DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges: [{ text }] });
  };
  const lenses = async (): Promise<readonly CodeLens[]> =>
    (await editor.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
  const lines = (drawn: readonly CodeLens[]): readonly number[] => drawn.map(({ range }) => range.start.line);
  const linesIn = (text: string): readonly number[] =>
    text.split('\n').flatMap((line, index) => (/^ +"server\d+": \{$/.test(line) ? [index] : []));

  it('is drawn again once while the editor is at it and once afterwards, however often servers change, and is never less', async () => {
    const text = written();
    await open(text);
    let refreshes = 0;
    const drawn: Promise<readonly CodeLens[]>[] = [];
    const [allTold, secondTime] = [deferred(), deferred()];
    editor.onRequest(CodeLensRefreshRequest.type, async () => {
      refreshes += 1;
      drawn.push(lenses());
      if (refreshes === 1) {
        await allTold.promise;
      } else {
        secondTime.resolve();
      }
    });
    for (let change = 0; change < 300; change += 1) {
      state = `${change} tools`;
      await editor.sendNotification(liveMethods.changed);
    }
    drawn.push(lenses()); // its answer comes after all changes were heard
    await drawn.at(-1);
    allTold.resolve();
    await secondTime.promise;
    for (const each of await Promise.all(drawn)) {
      assert.deepEqual(lines(each), linesIn(text));
      assert.deepEqual(
        each.map(({ command }) => (command?.arguments?.[0] as { server: { id: string } }).server.id),
        names,
      );
    }
    assert.deepEqual([(await drawn.at(-1))?.[0]?.command?.title, (await lenses()).length, refreshes], ['299 tools', count, 2]);
  });

  it('stays above all other servers while one of them is being typed', async () => {
    const whole = written();
    await open(whole);
    assert.deepEqual(lines(await lenses()), linesIn(whole));
    const at = whole.indexOf('"server100": {');
    for (const [what, text] of [
      ['a bracket too few', whole.replace('"A": "1"\n      }\n    },\n    "server100"', '"A": "1"\n    },\n    "server100"')],
      ['a bracket too many', `${whole.slice(0, at)}"new": { \n    ${whole.slice(at)}`],
      ['a key without a value', `${whole.slice(0, at)}"new":\n    ${whole.slice(at)}`],
      ['a quote', `${whole.slice(0, at)}"\n    ${whole.slice(at)}`],
      ['a comma too few', whole.replace('},\n    "server100"', '}\n    "server100"')],
    ] as const) {
      assert.notEqual(text, whole, what);
      await type(text);
      assert.deepEqual(lines(await lenses()), linesIn(text), what);
    }
    await type(whole.replace('"server100": {', '"server100: {'));
    assert.equal((await lenses()).length, count - 1, 'the one whose name is being typed');
    const others = JSON.stringify({ servers: { server1: { command: 'node' } } }, undefined, 2);
    await type(others);
    assert.deepEqual(lines(await lenses()), [2], 'what was removed is gone once the text is whole');
  });

  it('forgets a document that was closed', async () => {
    await open(written());
    await lenses();
    await editor.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
    await open('{ "servers": {');
    assert.deepEqual(await lenses(), []);
  });

  it('stands where it was asked for, when somebody types before the editor has answered', async () => {
    const text = written();
    await open(text);
    const [asked, typed] = [deferred(), deferred()];
    answering = async (result) => {
      asked.resolve();
      await typed.promise;
      return result;
    };
    const early = lenses();
    await asked.promise;
    await type(`// a\n\n\n${text}`);
    await editor.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line: 0, character: 0 } }); // the text has come
    typed.resolve();
    assert.deepEqual(lines(await early), linesIn(text));
  });

  it('is not lost for all because of one name that nobody would write', async () => {
    const text = written({ ['x'.repeat(1_001)]: { command: 'node' } });
    await open(text);
    assert.deepEqual(lines(await lenses()), linesIn(text));
  });

  it('does not wait for mistakes to be looked for, which is done once nobody types any more', async () => {
    const published: number[] = [];
    const all = deferred();
    editor.onNotification(PublishDiagnosticsNotification.type, ({ diagnostics }) => {
      published.push(diagnostics.filter(({ code }) => code === 'badUrl').length);
      if (published.at(-1) === 2) {
        all.resolve();
      }
    });
    const text = JSON.stringify({ servers: { server1: { url: 'nowhere' } } });
    await open(text);
    for (let key = 0; key < 20; key += 1) {
      await type(`${text.slice(0, -2)}, "server2": { "url": "${'n'.repeat(key)}`);
      assert.equal((await lenses())[0]?.command?.title, 'Start');
    }
    await type(`${text.slice(0, -2)}, "server2": { "url": "n" } } }`);
    await all.promise;
    assert.ok(published.length < 20, `${published.length} times`);
  });
});
