import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';
import { noGrants, type ClientGrants } from '../../../../../src/server/seen/viewer.ts';
import type { OpenEditor, SeenFolder } from '../../../../../src/server/seen/ports/editorPort.ts';
import { folderPrefixes, parseClientPath } from '../../../../../src/platform/paths/clientPath.ts';
import { createVisibility, type Visibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { withholding } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';

const demo: readonly SeenFolder[] = [{ name: 'demo', path: '/demo', uri: 'file:///demo', index: 0 }];

function visibility(grants: Partial<ClientGrants> = {}, folders = demo): Visibility {
  return createVisibility({ folders: () => folders, neverShown: ['/demo/.duplex', '/demo/data'], grants: { ...noGrants, ...grants } });
}

const sensitive = [
  '.env',
  '.ENV',
  '.env.local',
  'config/.env',
  './config/../.env',
  'keys/server.pem',
  'server.KEY',
  'a.p12',
  'a.pfx',
  'id_rsa',
  '.npmrc',
  '.netrc',
  '.pypirc',
  '.ssh/config',
  '.SSH/config',
  '.aws/credentials',
  '.gnupg/x',
  '.env.',
  '.env ',
  '.env::$DATA',
  'a\\.env',
  '/demo/.env',
  'file:///demo/.env',
  'file:///demo/%2eenv',
  'file:///demo/src/%2e%2e/.env',
  'untitled:/demo/.env',
  'vscode-notebook-cell:/demo/id_notes.ipynb#W0sZmlsZQ%3D%3D',
  'git:/demo/readme.md?%7B%22path%22%3A%22%2Fdemo%2F.env%22%2C%22ref%22%3A%22HEAD%22%7D',
];
const neverShown = [
  'data/settings.json',
  'DATA/settings.json',
  'src/../data/settings.json',
  '.duplex/windows/1.json',
  '.Duplex/windows/1.json',
  '/demo/data',
  'file:///demo/d%61ta/settings.json',
  'untitled:/demo/data/x',
  'git:/demo/a.ts?%7B%22path%22%3A%22%2Fdemo%2Fdata%2Fx%22%7D',
  'vscode-userdata:/settings.json',
  'output:duplex',
  'duplex-document:/result.md',
  'duplex-resource://seal/docs/guide/guide.md',
  'Duplex-Resource://seal/docs/guide/guide.md',
  'duplex-prompt:/docs%20greet.md',
];
const outside = [
  '/elsewhere/a.ts',
  'file:///elsewhere/a.ts',
  'file:///demo/../elsewhere/a.ts',
  'file:///demo/%2e%2e/elsewhere/a.ts',
  '../elsewhere/a.ts',
  '/demo-two/a.ts',
  'file:///demo-two/a.ts',
  'memfs:/a.ts',
  'untitled:/elsewhere/a.ts',
];
const impossible = ['', 'a\0b', 'file://elsewhere/demo/a.ts', 'file:///demo/%E0%A4%A', 'memfs:/demo/../a.ts', 'memfs:/demo/%2e%2e/a.ts'];
const open = [
  'src/a.ts',
  './src/a.ts',
  'id_rsa.pub',
  'environment.ts',
  'keyboard.ts',
  'database.ts',
  '/demo/src/a.ts',
  '/demo/./src//a.ts',
  'file:///demo/src/a.ts',
  'file:///demo/src/%252e%252e/a.ts',
  'untitled:Untitled-1',
  'untitled:/demo/new.ts',
  'vscode-notebook-cell:/demo/notes.ipynb#W0sZmlsZQ%3D%3D',
  'git:/demo/a.ts?%7B%22path%22%3A%22%2Fdemo%2Fa.ts%22%2C%22ref%22%3A%22HEAD%22%7D',
];

describe('What a client may see', () => {
  const all = [...sensitive, ...neverShown, ...outside, ...impossible, ...open];
  const shownWith = (grants: Partial<ClientGrants>): string[] => all.filter((path) => visibility(grants).isShown(path));

  it('leaves out secret files, the editor’s own data and documents outside the workspace, and nothing else', () => {
    assert.deepEqual(shownWith({}), open);
  });

  it('grants lift secret files and outside documents, never the editor’s own data', () => {
    assert.deepEqual(shownWith({ sensitive: true }), [...sensitive, ...open]);
    assert.deepEqual(shownWith({ outside: true }), [...outside, ...open]);
    assert.deepEqual(shownWith({ sensitive: true, outside: true }), [...sensitive, ...outside, ...open]);
  });

  it('names folders of a multi-root workspace by their prefix', () => {
    const folders: SeenFolder[] = ['/one/app', '/two/app', '/three/web'].map((path, index) => ({
      name: path.split('/')[2] ?? '',
      path,
      uri: `file://${path}`,
      index,
    }));
    assert.deepEqual(folderPrefixes(folders), ['app/', 'app~2/', 'web/']);
    const { isShown } = visibility({}, folders);
    const paths = [
      'app',
      'app~2',
      'app~3',
      'app/a.ts',
      'app~2/a.ts',
      'app~2/.env',
      'app~3/a.ts',
      'a.ts',
      '/two/app/a.ts',
      'app/../../two/app/b.ts',
      'web/../x.ts',
    ];
    assert.deepEqual(paths.filter(isShown), ['app', 'app~2', 'app/a.ts', 'app~2/a.ts', '/two/app/a.ts', 'app/../../two/app/b.ts']);
  });

  it('shows a virtual workspace, and nothing of the same kind beside it', () => {
    const { isShown } = visibility({}, [{ name: 'repo', path: 'memfs://host/repo', uri: 'memfs://host/repo', index: 0 }]);
    const paths = [
      'a.ts',
      '.env',
      'memfs://host/repo/a.ts',
      'memfs://host/repository/a.ts',
      'memfs://other/repo/a.ts',
      '../a.ts',
      '/repo/a.ts',
    ];
    assert.deepEqual(paths.filter(isShown), ['a.ts', 'memfs://host/repo/a.ts']);
  });

  it('reads Windows spellings as Windows does', () => {
    const folders = [{ name: 'demo', path: 'c:\\demo', uri: 'file:///c%3A/demo', index: 0 }];
    const parse = (path: string): string | undefined => {
      const place = parseClientPath(path, folders, { paths: win32 });
      return place?.kind === 'file' ? place.path : place?.uri;
    };
    assert.deepEqual(['src/a.ts', 'src\\a.ts', 'file:///c%3A/demo/a.ts', 'file:///C:/demo/a.ts', 'C:\\demo\\..\\x'].map(parse), [
      'c:\\demo\\src\\a.ts',
      'c:\\demo\\src\\a.ts',
      'c:\\demo\\a.ts',
      'C:\\demo\\a.ts',
      'C:\\x',
    ]);
    assert.deepEqual(['.env::$DATA', '\\\\?\\C:\\demo\\.env', '\\\\.\\C:\\x', 'src/a.txt:hidden'].map(parse), Array(4).fill(undefined));
  });

  it('takes no file of another machine for a path, unless the workspace is there: to look for it would call that machine', () => {
    const parse = (paths: readonly string[], folder: string, system: typeof win32): unknown[] => {
      const folders = [{ name: 'demo', path: folder, uri: 'file:///demo', index: 0 }];
      return paths.map((path) => parseClientPath(path, folders, { paths: system })?.kind);
    };
    const shares = ['file://server/share/a.ts', '//server/share/a.ts', '\\\\SERVER\\share\\a.ts'];
    assert.deepEqual(parse(shares, 'c:\\demo', win32), Array(3).fill(undefined));
    assert.deepEqual(parse(shares, '\\\\server\\share\\demo', win32), Array(3).fill('file'));
    const hosts = ['/net/server/a.ts', 'file:///net/server/a.ts', '/demo/../net/server/a.ts'];
    assert.deepEqual(parse(hosts, '/demo', posix), Array(3).fill(undefined));
    assert.deepEqual(parse(hosts, '/net/server/demo', posix), Array(3).fill('file'));
    assert.equal(visibility({ outside: true }).isShown('git:/demo/a.ts?{"path":"/net/server/a.ts"}'), false);
  });
});

describe('Withheld files behind links', () => {
  let root: string;
  let isShown: Visibility['isShown'];
  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'duplex-withheld-')));
    await mkdir(join(root, 'work/src'), { recursive: true });
    await mkdir(join(root, 'work/home/own'), { recursive: true });
    await mkdir(join(root, 'elsewhere/.ssh'), { recursive: true });
    for (const file of ['work/.env', 'work/src/a.ts', 'work/home/own/x.json', 'elsewhere/b.ts', 'elsewhere/.ssh/config']) {
      await writeFile(join(root, file), 'x');
    }
    const link = (target: string, name: string): Promise<void> => symlink(join(root, target), join(root, name));
    await link('work/.env', 'work/notes.txt');
    await link('work/src', 'work/source');
    await link('elsewhere', 'work/linked');
    await link('elsewhere/b.ts', 'work/b.ts');
    await link('work/home/own', 'work/data');
    await link('work/missing', 'work/broken');
    await link('work/loop', 'work/loop');
    await link('work', 'alias');
    const workspace = join(root, 'alias');
    isShown = createVisibility({
      folders: () => [{ name: 'alias', path: workspace, uri: pathToFileURL(workspace).href, index: 0 }],
      neverShown: [join(root, 'alias/home')],
      grants: noGrants,
    }).isShown;
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('are judged by where the link leads, in a workspace that is itself a link', () => {
    const paths = [
      'src/a.ts',
      'source/a.ts',
      'new/file.ts',
      'notes.txt',
      'linked/b.ts',
      'linked/.ssh/config',
      'b.ts',
      'data/x.json',
      'broken',
      'loop',
    ];
    assert.deepEqual(paths.filter(isShown), ['src/a.ts', 'source/a.ts', 'new/file.ts']);
    assert.equal(isShown(join(root, 'work/src/a.ts')), true);
    assert.equal(isShown(join(root, 'work/home/own/x.json')), false);
  });

  it('are judged by the name that is on the disk, in whichever of two spellings a client writes it', async () => {
    await symlink(join(root, 'work/.env'), join(root, 'work/cafe\u0301'));
    assert.deepEqual(['cafe\u0301', 'caf\u00E9', 'th\u00E9'].map(isShown), [false, false, true]);
  });

  it('a name that now means another file, in another spelling, is judged anew, also when it is written as a URI', async () => {
    await mkdir(join(root, 'work/na\u00EFve'));
    const uri = pathToFileURL(join(root, 'work/na\u00EFve/config')).href;
    const before = isShown(uri);
    await rm(join(root, 'work/na\u00EFve'), { recursive: true });
    await mkdir(join(root, 'work/.ssh'), { recursive: true });
    await symlink(join(root, 'work/.ssh'), join(root, 'work/nai\u0308ve'));
    assert.deepEqual([before, isShown(uri)], [true, false]);
  });

  it('a file that has become a link is judged anew, and so is a link that has become a file', async () => {
    const turning = join(root, 'work/turning.ts');
    const turnInto = async (make: (path: string) => Promise<void>): Promise<boolean> => {
      await make(`${turning}.new`);
      await rename(`${turning}.new`, turning);
      return isShown('turning.ts');
    };
    const shown = [
      await turnInto((path) => writeFile(path, '')),
      await turnInto((path) => symlink(join(root, 'work/.env'), path)),
      await turnInto((path) => writeFile(path, '')),
      await turnInto((path) => symlink(join(root, 'nowhere'), path)),
    ];
    assert.deepEqual(shown, [true, false, true, false]);
  });

  it('a link that is moved is judged anew', async () => {
    const moving = join(root, 'work/moving.ts');
    await symlink(join(root, 'work/src/a.ts'), moving);
    const before = isShown('moving.ts');
    await symlink(join(root, 'work/.env'), `${moving}.new`);
    await rename(`${moving}.new`, moving);
    assert.deepEqual([before, isShown('moving.ts')], [true, false]);
  });
});

describe('The editor behind the filter', () => {
  const signal = new AbortController().signal;
  let editor: FakeEditor;
  const seen = (grants: Partial<ClientGrants> = {}): ReturnType<typeof withholding> => withholding(editor, visibility(grants));
  beforeEach(() => {
    editor = new FakeEditor();
  });

  it('lists editors and diagnostics without withheld files, and counts only what it shows', async () => {
    const [sample] = editor.editors;
    editor.editors = [...sensitive, ...open].map((path) => ({ ...(sample as OpenEditor), path }));
    editor.diagnostics = [...sensitive, ...open].map((path) => ({ ...diagnosticAt(1), path }));
    const listed = seen().listOpenEditors();
    assert.deepEqual(
      listed.map(({ path }) => path),
      open,
    );
    const { diagnostics, total } = await seen().getDiagnostics({ waitMs: 0, limit: 3 }, signal);
    assert.deepEqual([diagnostics.map(({ path }) => path), total], [open.slice(0, 3), open.length]);
    editor.knowsAtOnce = true;
    const known = seen({ sensitive: true }).knownDiagnostics({ limit: 3 });
    assert.deepEqual([known?.diagnostics.length, known?.total], [3, editor.diagnostics.length]);
    const all = [...sensitive, ...open];
    const none = { diagnostics: [], documents: [], total: 0, settled: false };
    editor.answerDiagnostics = () => Promise.resolve({ ...none, unheard: all, behind: all });
    const { unheard, behind } = await seen().getDiagnostics({ waitMs: 0 }, signal);
    assert.deepEqual([unheard, behind], [open, open]);
  });

  it('answers for a secret file exactly as for a missing one', async () => {
    editor.documents.files.set('.env', { text: 'A=1' });
    const refusals = async (path: string): Promise<unknown[]> =>
      (
        await Promise.allSettled([
          seen().getDiagnostics({ path, waitMs: 0 }, signal),
          seen().documents.read(path, signal),
          seen().documents.check(path),
        ])
      ).map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value) as unknown);
    for (const error of await refusals('.env')) {
      assert.deepEqual(
        { ...(error as object) },
        { code: 'editor.pathNotFound', args: { path: '.env' }, detail: undefined, name: 'AppError', sentence: undefined },
      );
      assert.equal((error as Error).message, 'There is no ".env" in this workspace.');
    }
    assert.deepEqual(editor.queries, [], 'the editor was not asked');
  });

  it('withholds what a file turned out to be when it was opened', async () => {
    editor.documents.files.set('notes.txt', { text: 'A=1', realPath: '/demo/.env' });
    await assert.rejects(seen().documents.read('notes.txt', signal), { code: 'editor.pathNotFound' });
    assert.deepEqual(Object.keys(await seen({ sensitive: true }).documents.read('notes.txt', signal)).includes('realPath'), false);
  });

  it('redacts secrets in texts, selections and messages, unless lifted', async () => {
    const secret = 'password=hunter2hunter2';
    editor.documents.files.set('a.txt', { text: secret });
    editor.documents.selection = {
      ...(editor.documents.selection ?? assert.fail()),
      selections: [{ range: diagnosticAt(1).range, text: secret }],
    };
    editor.diagnostics = [{ ...diagnosticAt(1), message: secret }];
    const texts = async (grants: Partial<ClientGrants>): Promise<unknown[]> => [
      (await seen(grants).documents.read('a.txt', signal)).text,
      (await seen(grants).documents.readSelection((_whole, selected) => selected))?.texts[0],
      (await seen(grants).getDiagnostics({ waitMs: 0 }, signal)).diagnostics[0]?.message,
    ];
    assert.deepEqual(await texts({}), Array(3).fill('password=[redacted]'));
    assert.deepEqual(await texts({ sensitive: true }), Array(3).fill(secret));
  });

  it('knows a part of a secret that is selected without what tells it', async () => {
    const { range } = diagnosticAt(1);
    const token = `ghp_${'a1B2'.repeat(10)}`;
    editor.documents.selection = {
      ...(editor.documents.selection ?? assert.fail()),
      selections: [
        { range, before: 'DB_PASSWORD=', text: 'hunter2abc', after: '\n' },
        { range, before: 'token = "', text: token.slice(0, 20), after: `${token.slice(20)}"\n` },
        { range, text: 'const count', after: ' = 1;\n' },
      ],
    };
    const texts = async (grants: Partial<ClientGrants>): Promise<unknown> =>
      (await seen(grants).documents.readSelection((_whole, selected) => selected))?.texts;
    assert.deepEqual(await texts({}), ['[redacted]', '[redacted]', 'const count']);
    assert.deepEqual(await texts({ sensitive: true }), ['hunter2abc', token.slice(0, 20), 'const count']);
  });

  it('reads no text to tell that the selection has changed', () => {
    const told: string[] = [];
    const listening = seen().documents.onDidChangeSelection(() => told.push('selection'));
    const selection = editor.documents.selection ?? assert.fail();
    editor.documents.readSelection = () => assert.fail('It was read.');
    editor.documents.didChangeSelection.fire();
    assert.deepEqual(told, [], 'nothing is another');
    editor.documents.selection = { ...selection, version: 2 };
    editor.documents.didChangeSelection.fire();
    editor.documents.selection = { ...selection, version: 2, selections: [{ range: diagnosticAt(9).range, text: '' }] };
    editor.documents.didChangeSelection.fire();
    assert.deepEqual(told, ['selection', 'selection']);
    listening.dispose();
  });

  it('never tells of a change of a withheld file', () => {
    const told: string[] = [];
    const { documents, onDidChangeDiagnostics, onDidChangeOpenEditors } = seen();
    const listening = [
      documents.changesOf('.env')(() => told.push('file')),
      documents.onDidChangeSelection(() => told.push('selection')),
      documents.onDidChangeDocuments(() => told.push('documents')),
      onDidChangeDiagnostics(() => told.push('diagnostics')),
      onDidChangeOpenEditors(() => told.push('editors')),
    ];
    const hide = { path: '.env', uri: 'file:///demo/.env', languageId: 'dotenv' };
    editor.documents.documents = [...editor.documents.documents, hide];
    editor.editors = [...editor.editors, { ...(editor.editors[0] as OpenEditor), ...hide, isActive: false }];
    editor.documents.didChange.fire('.env');
    editor.documents.didChangeDocuments.fire();
    editor.didChangeOpenEditors.fire();
    editor.didChangeDiagnostics.fire(['.env']);
    assert.deepEqual([told, editor.documents.watched], [[], []]);
    editor.documents.selection = { ...hide, selections: [] };
    editor.documents.didChangeSelection.fire();
    assert.deepEqual(told.splice(0), ['selection'], 'that nothing is selected any more is no secret');
    editor.documents.selection = { ...hide, selections: [{ range: diagnosticAt(1).range, text: 'A' }] };
    editor.documents.didChangeSelection.fire();
    editor.didChangeDiagnostics.fire(['.env', 'src/a.ts']);
    assert.deepEqual(told, ['diagnostics']);
    listening.forEach((listener) => listener.dispose());
  });
});
