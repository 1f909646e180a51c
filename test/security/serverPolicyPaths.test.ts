import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/events.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Role } from '../../src/contract/questions/rolesAndClaims.ts';
import type { GrantsPort } from '../../src/server/seen/viewer.ts';
import { createVisibility } from '../../src/server/seen/withheld/visibility.ts';
import { policySource } from '../unit/server/support/fakePolicy.ts';
import { locationIn } from '../unit/server/support/fakeLanguage.ts';
import { FakeApproval, diagnosticAt } from '../unit/server/support/fakePorts.ts';
import { matchAt } from '../unit/server/support/fakeWorkspace.ts';
import type { Answer, HttpPeer } from '../unit/server/support/httpPeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const denied = 'plans/next.md';
const rule = { effect: 'deny', path: 'plans/**' };

describe('What the policy denies by its path', () => {
  let running: RunningServer;
  let peer: HttpPeer;
  let rules: readonly object[];
  const changed = new Emitter<void>();

  async function start(role: Role = 'editor', grants?: GrantsPort): Promise<void> {
    rules = [];
    const policy = policySource(() => rules, changed.event);
    running = await runServer({ policy, grants, approval: new FakeApproval({ kind: 'allowed', role }) });
    const { editor } = running;
    const open = { uri: `file:///demo/${denied}`, languageId: 'markdown' };
    editor.documents.files.set(denied, { text: 'the plan\n' });
    editor.documents.documents = [...editor.documents.documents, { path: denied, ...open }];
    editor.documents.selection = { path: denied, ...open, selections: [] };
    editor.editors = [{ path: denied, ...open, kind: 'text', isActive: true, isDirty: false, isPinned: false, group: 1 }];
    editor.workspace.files = ['src/a.ts', denied];
    editor.workspace.matches = [matchAt('src/a.ts', 1), matchAt(denied, 1, 'the plan')];
    editor.workspace.changes = [{ path: denied, status: 'modified', diff: '+the plan' }];
    editor.language.references = [locationIn('src/a.ts'), locationIn(denied, 'the plan')];
    editor.diagnostics = [diagnosticAt(1), { ...diagnosticAt(2), path: denied }];
    peer = running.peer();
    await peer.initialize();
    await peer.callTool('list_open_editors');
  }
  afterEach(() => running.close());

  function deny(...now: readonly object[]): void {
    rules = now;
    changed.fire();
  }

  const looks: readonly (readonly [string, (from: HttpPeer) => Promise<Answer>])[] = [
    ['search_text', (from) => from.callTool('search_text', { query: 'the' })],
    ['find_files', (from) => from.callTool('find_files', { pattern: '**' })],
    ['find_references', (from) => from.callTool('find_references', { path: 'src/a.ts', line: 1, character: 1 })],
    ['get_git_changes', (from) => from.callTool('get_git_changes')],
    ['get_diagnostics', (from) => from.callTool('get_diagnostics')],
    ['get_selection', (from) => from.callTool('get_selection')],
    ['list_open_editors', (from) => from.callTool('list_open_editors')],
    ['editor://active', (from) => from.request('resources/read', { uri: 'editor://active' })],
    ['resources/list', (from) => from.request('resources/list')],
    [
      'completion',
      (from) =>
        from.request('completion/complete', {
          ref: { type: 'ref/resource', uri: 'diagnostics://file/{+path}' },
          argument: { name: 'path', value: 'pl' },
        }),
    ],
  ];

  async function showing(from = peer): Promise<string[]> {
    const answers = await Promise.all(looks.map(async ([name, look]) => [name, (await look(from)).text] as const));
    return answers.filter(([, text]) => text.includes('plans') || text.includes('the plan')).map(([name]) => name);
  }

  it('shows nowhere from then on, and again when the rule goes', async () => {
    await start();
    const all = looks.map(([name]) => name);
    assert.deepEqual(await showing(), all);
    deny(rule);
    assert.deepEqual(await showing(), []);
    deny();
    assert.deepEqual(await showing(), all);
  });

  it('shows nowhere however the rule names it', async () => {
    await start();
    for (const path of ['/demo/plans/*', 'PLANS/*.md', ['other', 'plans/next.md']]) {
      deny({ effect: 'deny', path });
      assert.deepEqual(await showing(), [], JSON.stringify(path));
    }
  });

  it('is refused by name where a call is about it', async () => {
    await start();
    deny(rule);
    assert.match((await peer.callTool('read_file', { path: denied })).text, /denied by the person's policy/);
  });

  it('is not touched by a change that begins elsewhere', async () => {
    await start();
    deny(rule);
    await peer.callTool('rename_symbol', { path: 'src/a.ts', line: 1, character: 1, newName: 'sum' });
    const origin = running.editor.acting.done.flat().find((part) => (part as { guard?: unknown } | null)?.guard !== undefined);
    const { guard } = origin as { guard: { mayTouch(path: string): boolean } };
    assert.deepEqual([guard.mayTouch('src/a.ts'), guard.mayTouch(denied)], [true, false]);
  });

  it('shows to those whom the rule is not about', async () => {
    await start();
    const all = looks.map(([name]) => name);
    const other = running.peer(running.otherToken());
    await other.initialize();
    await other.callTool('list_open_editors');
    for (const who of [{ client: 'client-1' }, { role: 'reader' }, { transport: 'ws' }, { until: '2020-01-01' }, { tool: 'read_file' }]) {
      deny({ ...rule, ...who });
      assert.deepEqual(await showing(), all, JSON.stringify(who));
    }
    deny({ ...rule, client: 'client-1' });
    assert.deepEqual(await showing(other), []);
    for (const who of [{ role: 'editor' }, { transport: 'http' }]) {
      deny({ ...rule, ...who });
      assert.deepEqual(await showing(), [], JSON.stringify(who));
    }
  });

  it('follows the role that the rule names', async () => {
    await start('reader');
    deny({ ...rule, role: 'reader' });
    assert.deepEqual(await showing(), []);
    running.approval.act = 'roleRaised';
    await peer.callTool('rename_symbol', { path: 'src/a.ts', line: 1, character: 1, newName: 'sum' });
    assert.deepEqual(
      await showing(),
      looks.map(([name]) => name),
    );
  });

  it('is also what is sensitive, whatever was lifted', async () => {
    const grants = { of: () => ({ sensitive: true, outside: false }), onDidChange: () => ({ dispose: () => undefined }) };
    await start('editor', grants);
    running.editor.workspace.files = ['src/a.ts', '.env'];
    const found = async (): Promise<boolean> => (await peer.callTool('find_files', { pattern: '**' })).text.includes('.env');
    assert.equal(await found(), true);
    deny({ effect: 'deny', sensitivity: 'sensitive' });
    assert.equal(await found(), false);
  });

  it('is told as a change of the lists, and nothing that happens to it afterwards is', async () => {
    await start();
    const stream = await peer.stream();
    await peer.request('resources/subscribe', { uri: 'diagnostics://workspace' });
    deny(rule);
    const told = new Set<unknown>();
    while (!told.has('notifications/resources/list_changed') || !told.has('notifications/resources/updated')) {
      told.add((await stream.nextMessage()).method);
    }
    await peer.request('resources/subscribe', { uri: 'workspace://folders' });
    running.editor.didChangeDiagnostics.fire([denied]);
    running.editor.didChangeWorkspaceFolders.fire();
    let next = await stream.nextMessage();
    while (next.method !== 'notifications/resources/updated') {
      next = await stream.nextMessage();
    }
    assert.deepEqual(next.params, { uri: 'workspace://folders' });
  });
});

describe('Documents made of a file that the policy denies', () => {
  it('are as absent as the file', () => {
    const folders = [{ name: 'demo', path: '/demo', uri: 'file:///demo', index: 0 }];
    const isDenied = (path: string): boolean => path.startsWith('/demo/plans/');
    const query = encodeURIComponent(JSON.stringify({ path: '/demo/plans/next.md', ref: 'HEAD' }));
    const documents = ['untitled:/demo/plans/next.md', `git:/demo/src/a.ts?${query}`, 'vscode-notebook-cell:/demo/plans/a.ipynb#W0'];
    const options = { folders: () => folders, neverShown: [], grants: { sensitive: true, outside: true } };
    assert.deepEqual(documents.map(createVisibility(options).isShown), [true, true, true]);
    assert.deepEqual(documents.map(createVisibility({ ...options, isDenied }).isShown), [false, false, false]);
  });
});

describe('Terminals', () => {
  for (const [role, isShown] of [
    ['reader', false],
    ['editor', false],
    ['runner', true],
  ] as const) {
    it(`are ${isShown ? 'listed and completed' : 'neither listed nor completed'} for the role ${role}`, async () => {
      const running = await runServer({ approval: new FakeApproval({ kind: 'allowed', role }) });
      try {
        const peer = running.peer();
        await peer.initialize();
        await peer.callTool('list_open_editors');
        const listed = (await peer.request('resources/list')).text;
        assert.deepEqual([listed.includes('terminal://'), listed.includes('file:///')], [isShown, true]);
        const ref = { type: 'ref/resource', uri: 'terminal://{id}' };
        const { result } = (await peer.request('completion/complete', { ref, argument: { name: 'id', value: '' } })).json;
        const { values } = (result as JsonObject).completion as { values: readonly string[] };
        assert.equal(values.length > 0, isShown);
      } finally {
        await running.close();
      }
    });
  }
});
