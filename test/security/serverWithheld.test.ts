import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../../src/base/events.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { noGrants, type ClientGrants } from '../../src/server/seen/viewer.ts';
import type { OpenEditor } from '../../src/server/seen/ports/editorPort.ts';
import { diagnosticAt } from '../unit/server/support/fakePorts.ts';
import { runNamed } from '../unit/server/support/fakeTests.ts';
import type { HttpPeer } from '../unit/server/support/httpPeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

/** What is in every withheld file, and must be in no answer. */
const mark = 'do-not-show-this';

/** Withheld files under the names a client may try; each is really there, and open. */
const sensitive = ['.env', '.ENV', 'keys/server.pem', 'id_rsa', '.ssh/config', 'notes.txt', 'aws/credentials'];
const untouchable = ['home/windows/1.json', 'HOME/windows/1.json', 'storage/state.vscdb', 'settings.json'];

describe('A withheld file', () => {
  let root: string;
  let work: string;
  let running: RunningServer;
  let peer: HttpPeer;
  let grants: ClientGrants;
  const granted = new Emitter<void>();

  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'duplex-side-doors-')));
    work = join(root, 'work');
    for (const folder of ['keys', '.ssh', '.aws', 'home/windows', 'data', 'src']) {
      await mkdir(join(work, folder), { recursive: true });
    }
    for (const file of [
      '.env',
      'keys/server.pem',
      'id_rsa',
      '.ssh/config',
      '.aws/credentials',
      'home/windows/1.json',
      'data/settings.json',
    ]) {
      await writeFile(join(work, file), mark);
    }
    await symlink(join(work, '.env'), join(work, 'notes.txt'));
    await symlink(join(work, '.aws'), join(work, 'aws'));
    await symlink(join(work, 'data'), join(work, 'storage'));
    await symlink(join(work, 'data/settings.json'), join(work, 'settings.json'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  beforeEach(async () => {
    grants = noGrants;
    running = await runServer({
      duplexHome: join(work, 'home'),
      neverShown: [join(work, 'data')],
      grants: { of: () => grants, onDidChange: granted.event },
    });
    const { editor } = running;
    const all = [...sensitive, ...untouchable];
    editor.folders = [{ name: 'work', path: work, uri: pathToFileURL(work).href, index: 0 }];
    editor.documents.root = work;
    all.forEach((path) => editor.documents.files.set(path, { text: mark }));
    editor.documents.documents = all.map((path) => ({ path, uri: pathToFileURL(join(work, path)).href, languageId: mark }));
    editor.documents.selection = {
      path: '.env',
      uri: 'file:///x',
      languageId: mark,
      selections: [{ range: diagnosticAt(1).range, text: mark }],
    };
    editor.editors = all.map((path, index) => ({ ...(editor.editors[0] as OpenEditor), path, languageId: mark, isActive: index === 0 }));
    editor.diagnostics = all.map((path) => ({ ...diagnosticAt(1), path, message: mark }));
    editor.workspace.directory = all.map((path) => ({ path, kind: 'file', size: 1 }));
    editor.workspace.closed = all;
    editor.workspace.changes = all.map((path) => ({ path, status: 'modified', diff: mark }));
    editor.tests.runs = [runNamed('run-1', { failures: [{ name: 'a test', message: 'failed', path: '.env', line: 1 }] })];
    peer = running.peer();
    await peer.initialize();
  });
  afterEach(() => running.close());

  /** Everything a client can ask about one path. */
  function askAbout(path: string): (readonly [string, JsonObject])[] {
    const absolute = join(work, path);
    const encoded = path.split('/').map((segment) => `%${segment.charCodeAt(0).toString(16)}${encodeURIComponent(segment.slice(1))}`);
    const spellings = [
      path,
      `./${path}`,
      `src/../${path}`,
      absolute,
      pathToFileURL(absolute).href,
      `file://${work}/src/%2e%2e/${encoded.join('/')}`,
    ];
    const uris = [
      ...spellings.slice(4),
      `file://${work}/src/../${path}`,
      `git:${absolute}?${encodeURIComponent(JSON.stringify({ path: absolute, ref: '' }))}`,
      ...spellings.map((spelling) => `diagnostics://file/${encodeURIComponent(spelling)}`),
      `symbols://file/${path}`,
      `syntax://file/${path}`,
    ];
    return [
      ...spellings.flatMap((spelling): [string, JsonObject][] => [
        ['tools/call', { name: 'read_file', arguments: { path: spelling } }],
        ['tools/call', { name: 'get_diagnostics', arguments: { path: spelling } }],
        ['tools/call', { name: 'get_git_changes', arguments: { path: spelling } }],
        ['tools/call', { name: 'get_document_symbols', arguments: { path: spelling } }],
        ['tools/call', { name: 'read_symbol', arguments: { path: spelling, symbol: 'total' } }],
        ['tools/call', { name: 'get_hover', arguments: { path: spelling, symbol: 'total' } }],
        ['tools/call', { name: 'list_directory', arguments: { path: spelling } }],
        ['prompts/get', { name: 'fix_diagnostics', arguments: { path: spelling } }],
        ['prompts/get', { name: 'write_tests', arguments: { path: spelling } }],
      ]),
      ...uris.flatMap((uri): [string, JsonObject][] => [
        ['resources/read', { uri }],
        ['resources/subscribe', { uri }],
      ]),
    ];
  }

  /** An answer without the path that was asked about, so that answers about different paths can be compared. */
  async function answerTo(method: string, params: JsonObject, path: string): Promise<string> {
    const { json } = await peer.request(method, params);
    const spellings = [params.uri, (params.arguments as JsonObject | undefined)?.path, join(work, path), path];
    return spellings
      .filter((spelling) => typeof spelling === 'string')
      .reduce(
        (text, spelling) => text.replaceAll(JSON.stringify(JSON.stringify(spelling)).slice(3, -3), 'X').replaceAll(spelling, 'X'),
        JSON.stringify({ ...json, id: 0 }),
      );
  }

  it('is answered like one that does not exist, by every door and in every spelling', async function () {
    this.timeout(60_000); // more than a thousand requests
    for (const path of [...sensitive, ...untouchable]) {
      const missingPath = path.replace(/[^/]+$/, 'missing.ts').replace(/^(?:keys|\.ssh|aws|home\/windows|HOME\/windows|storage)\//, 'src/');
      const missing = askAbout(missingPath);
      for (const [index, [method, params]] of askAbout(path).entries()) {
        const answer = await answerTo(method, params, path);
        const [otherMethod, otherParams] = missing[index] ?? assert.fail();
        assert.ok(!answer.includes(mark), `${method} ${JSON.stringify(params)}: ${answer}`);
        if (!/get_document_symbols|get_hover|read_symbol|list_directory|symbols:|syntax:/.test(JSON.stringify(params))) {
          // The stand-ins for language services and folders know every file.
          assert.equal(answer, await answerTo(otherMethod, otherParams, missingPath), `${method} ${JSON.stringify(params)}`);
        } else {
          assert.match(answer, /There is no|not found/, `${method} ${JSON.stringify(params)}`);
        }
      }
    }
  });

  it('is in no list, completion or prompt', async () => {
    const completions = ['diagnostics://file/{+path}', 'symbols://file/{+path}'].flatMap((uri) =>
      ['', '.', 'k', 'id_', 'notes', 'home/', 'src/../'].map((value): [string, JsonObject] => [
        'completion/complete',
        { ref: { type: 'ref/resource', uri }, argument: { name: 'path', value } },
      ]),
    );
    const asked: (readonly [string, JsonObject])[] = [
      ['tools/call', { name: 'list_open_editors', arguments: {} }],
      ['tools/call', { name: 'get_selection', arguments: {} }],
      ['tools/call', { name: 'get_diagnostics', arguments: {} }],
      ['tools/call', { name: 'get_git_changes', arguments: {} }],
      ['tools/call', { name: 'get_test_results', arguments: {} }],
      ['tools/call', { name: 'list_directory', arguments: {} }],
      ['tools/call', { name: 'list_directory', arguments: { path: 'src', depth: 9 } }],
      ['resources/list', {}],
      ['resources/read', { uri: 'editor://open' }],
      ['resources/read', { uri: 'editor://active' }],
      ['resources/read', { uri: 'editor://selection' }],
      ['resources/read', { uri: 'diagnostics://workspace' }],
      ['resources/read', { uri: 'git://changes' }],
      ...completions,
      ['completion/complete', { ref: { type: 'ref/resource', uri: 'file:///{+path}' }, argument: { name: 'path', value: work.slice(1) } }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'write_tests' }, argument: { name: 'path', value: '' } }],
      ...['fix_diagnostics', 'explain_selection', 'review_changes', 'triage_test_failure', 'write_tests'].map(
        (name): [string, JsonObject] => ['prompts/get', { name, arguments: {} }],
      ),
    ];
    for (const [method, params] of asked) {
      const { json } = await peer.request(method, params);
      const text = JSON.stringify(json);
      assert.ok(json.result !== undefined, text);
      const shown = [mark, ...sensitive, ...untouchable].filter(
        (secret) => text.includes(`${secret}\\"`) || text.includes(`${secret}"`) || text.includes(mark),
      );
      assert.deepEqual(shown, [], `${method} ${JSON.stringify(params)}: ${text}`);
    }
    const counted = (await peer.callTool('get_diagnostics')).json.result as { structuredContent: { total: number } };
    assert.equal(counted.structuredContent.total, 0);
  });

  it('is in no notification, neither when it changes nor when it is opened', async () => {
    const { editor } = running;
    for (const uri of [
      'editor://open',
      'editor://active',
      'editor://selection',
      'diagnostics://workspace',
      'diagnostics://file/src/a.ts',
      pathToFileURL(join(work, 'src/a.ts')).href,
    ]) {
      assert.ok((await peer.request('resources/subscribe', { uri })).json.result, uri);
    }
    const stream = await peer.stream();
    const visible = { uri: pathToFileURL(join(work, 'src/a.ts')).href };
    editor.documents.didChange.fire('src/a.ts');
    while ((await stream.nextMessage()).params === undefined) {
      // That the client was let in changed its lists.
    }
    for (const path of [...sensitive, ...untouchable]) {
      editor.documents.didChange.fire(path);
      editor.didChangeDiagnostics.fire([path]);
    }
    editor.editors = editor.editors.slice(1);
    editor.didChangeOpenEditors.fire();
    editor.documents.documents = editor.documents.documents.slice(1);
    editor.documents.didChangeDocuments.fire();
    editor.documents.selection = undefined;
    editor.documents.didChangeSelection.fire();
    assert.deepEqual(
      editor.documents.watched.filter((path) => path !== 'src/a.ts'),
      [],
    );
    editor.documents.didChange.fire('src/a.ts');
    assert.deepEqual((await stream.nextMessage()).params, visible, 'the first thing that is told');
  });

  it('is lifted by a grant for secret files, which never lifts the editor’s own data', async () => {
    const read = async (path: string): Promise<string> => JSON.stringify((await peer.callTool('read_file', { path })).json);
    grants = { sensitive: true, outside: true };
    for (const path of sensitive) {
      assert.ok((await read(path)).includes(mark), path);
    }
    for (const path of untouchable) {
      assert.match(await read(path), /There is no/, path);
    }
    assert.deepEqual(
      (
        (await peer.callTool('list_open_editors')).json.result as { structuredContent: { editors: { path: string }[] } }
      ).structuredContent.editors.map(({ path }) => path),
      sensitive,
    );
    grants = noGrants;
    assert.match(await read('.env'), /There is no/, 'taken back, it counts at once');
  });

  it('is told of while a grant lasts, and no longer', async () => {
    const { editor } = running;
    const uri = pathToFileURL(join(work, '.env')).href;
    const other = pathToFileURL(join(work, 'src/a.ts')).href;
    grants = { sensitive: true, outside: false };
    assert.ok((await peer.request('resources/subscribe', { uri })).json.result);
    assert.ok((await peer.request('resources/subscribe', { uri: other })).json.result);
    assert.deepEqual(editor.documents.watched, ['.env', 'src/a.ts']);
    grants = noGrants;
    granted.fire();
    assert.deepEqual(editor.documents.watched, ['src/a.ts']);
    grants = { sensitive: true, outside: false };
    granted.fire();
    assert.deepEqual(editor.documents.watched.sort(), ['.env', 'src/a.ts']);
  });

  it('does not show through a file that was swapped between check and use', async () => {
    running.editor.documents.files.set('src/a.ts', { text: mark, realPath: join(work, '.env') });
    for (const [method, params] of askAbout('src/a.ts').filter(
      ([, { name }]) => name === 'read_file' || name === 'read_symbol' || name === 'write_tests' || name === undefined,
    )) {
      assert.ok(!JSON.stringify((await peer.request(method, params)).json).includes(mark), `${method} ${JSON.stringify(params)}`);
    }
    running.editor.documents.files.set('src/logo.png', { text: '', base64: mark, realPath: join(work, '.env') });
    assert.match((await peer.callTool('read_file', { path: 'src/logo.png' })).text, /There is no/);
    running.editor.documents.files.set('src/logo.png', { text: '', base64: mark });
    assert.ok(JSON.stringify((await peer.callTool('read_file', { path: 'src/logo.png' })).json).includes(mark), 'the image itself');
  });
});
