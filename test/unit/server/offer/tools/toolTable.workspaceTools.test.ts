import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { workspaceResources, workspaceTemplates } from '../../../../../src/server/offer/resources/resourceTable.ts';
import { workspaceTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { redactSecrets } from '../../../../../src/secrets/redactSecrets.ts';
import { noGrants } from '../../../../../src/server/seen/viewer.ts';
import { createVisibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { withholdingWorkspace } from '../../../../../src/server/seen/withheld/workspace.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { FakeWorkspace, matchAt } from '../../support/fakeWorkspace.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';

const firstPage = { limit: 200, maxChars: 25_000 };
const secretKey = `ghp_${'a1B2'.repeat(10)}`;

async function run(name: string, args: JsonObject, editor: FakeEditor): Promise<Record<string, unknown>> {
  const tool = workspaceTools.find((each) => each.name === name);
  assert.ok(tool);
  return (await outputOf(tool, args, { editor, call: fakeCall() })) as Record<string, unknown>;
}

/** Every page, one after the other. */
async function allPages(name: string, args: JsonObject, member: string, editor: FakeEditor): Promise<unknown[]> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await run(name, cursor === undefined ? args : { ...args, cursor }, editor);
    entries.push(...(page[member] as unknown[]));
    cursor = page['nextCursor'] as string | undefined;
  } while (cursor !== undefined);
  return entries;
}

describe('The tools about the workspace', () => {
  it('find and search with the defaults of the contract', async () => {
    const editor = new FakeEditor();
    assert.deepEqual(await run('find_files', { pattern: '*.ts' }, editor), { files: editor.workspace.files });
    assert.deepEqual(await run('search_text', { query: 'total' }, editor), { matches: editor.workspace.matches });
    assert.deepEqual(editor.workspace.asked, [
      { pattern: '*.ts', includeIgnored: false, limit: 200, after: undefined },
      { query: 'total', isRegex: false, isCaseSensitive: false, includeIgnored: false, limit: 200, after: undefined },
    ]);
  });

  it('page through everything', async () => {
    const editor = new FakeEditor();
    assert.deepEqual(await allPages('find_files', { pattern: '*', limit: 2 }, 'files', editor), editor.workspace.files);
    assert.deepEqual(await allPages('search_text', { query: 'x', limit: 1 }, 'matches', editor), editor.workspace.matches);
  });

  it('refuse a cursor of another query, and what is no cursor', async () => {
    const editor = new FakeEditor();
    const { nextCursor } = await run('find_files', { pattern: '*', limit: 1 }, editor);
    const nonsense = Buffer.from(JSON.stringify(['x', 'src/a.ts'])).toString('base64url');
    for (const [tool, args] of [
      ['find_files', { pattern: '*.js', cursor: nextCursor as string }],
      ['find_files', { pattern: '*', cursor: nonsense }],
      ['find_files', { pattern: '*', cursor: '' }],
      ['search_text', { query: '*', cursor: nextCursor as string }],
      ['search_text', { query: '*', cursor: 'x' }],
    ] as const) {
      await assert.rejects(run(tool, args, editor), { message: 'Invalid cursor' });
    }
  });

  it('refuse a query of more than one line', () => {
    const search = workspaceTools.find(({ name }) => name === 'search_text');
    for (const query of ['a\nb', 'a\r', 'a\0', '']) {
      assert.equal(search?.prepare({ query }).kind, 'badArguments');
    }
  });

  it('list tasks and changes, and offer the changes as a resource that tells when they change', async () => {
    const editor = new FakeEditor();
    assert.deepEqual(await run('list_tasks', {}, editor), { tasks: editor.workspace.tasks });
    const changes = await run('get_git_changes', {}, editor);
    assert.deepEqual(changes, { changes: editor.workspace.changes });
    const [resource] = workspaceResources;
    assert.equal(resource?.uri, 'git://changes');
    assert.deepEqual(await resource.read({ editor, call: fakeCall() }), { kind: 'json', value: changes });
    let told = 0;
    const listening = resource.changes(editor)(() => (told += 1));
    editor.workspace.didChangeGit.fire();
    listening.dispose();
    assert.equal(told, 1);
  });
});

describe('What clients see of the workspace', () => {
  const signal = new AbortController().signal;
  const isShown = (path: string): boolean => !path.startsWith('.env');
  const visibility = visibilityWith(isShown, redactSecrets);

  it('leaves out withheld files before anything is counted', async () => {
    const editor = new FakeWorkspace();
    const seen = withholdingWorkspace(editor, visibility);
    editor.files = ['.env', '.env.local', 'a.ts', 'b.ts'];
    editor.matches = [matchAt('.env', 1), matchAt('a.ts', 1), matchAt('b.ts', 1)];
    const file = { pattern: '*', includeIgnored: true };
    assert.deepEqual(await seen.findFiles({ ...file, limit: 2 }, signal), { files: ['a.ts', 'b.ts'], hasMore: false });
    assert.deepEqual(await seen.findFiles({ ...file, limit: 1 }, signal), { files: ['a.ts'], hasMore: true });
    const query = { query: 'x', isRegex: false, isCaseSensitive: false, includeIgnored: true };
    assert.deepEqual((await seen.searchText({ ...query, limit: 2 }, signal)).next, undefined);
    assert.deepEqual((await seen.searchText({ ...query, limit: 1 }, signal)).next, matchAt('a.ts', 1));
  });

  it('has secrets redacted in previews and diffs', async () => {
    const editor = new FakeWorkspace();
    const seen = withholdingWorkspace(editor, visibility);
    editor.matches = [matchAt('a.ts', 1, `"${secretKey}"`)];
    editor.changes = [
      { path: 'a.ts', status: 'modified', diff: `+"${secretKey}"` },
      { path: '.env', status: 'modified', diff: '+KEY=1' },
      { path: 'b.ts', oldPath: '.env', status: 'renamed', diff: '' },
    ];
    const { matches } = await seen.searchText(
      { query: 'x', isRegex: false, isCaseSensitive: false, includeIgnored: true, limit: 9 },
      signal,
    );
    assert.equal(matches[0]?.preview, '"[redacted]"');
    assert.deepEqual((await seen.getGitChanges(firstPage, signal)).changes, [{ path: 'a.ts', status: 'modified', diff: '+"[redacted]"' }]);
  });

  it('tells of a change in Git only when it shows', async () => {
    const editor = new FakeWorkspace();
    const seen = withholdingWorkspace(editor, visibility);
    let told = 0;
    let wake = (): void => undefined;
    const listening = seen.onDidChangeGit(() => {
      told += 1;
      wake();
    });
    editor.changes = [...editor.changes, { path: '.env', status: 'modified', diff: '+KEY=1' }];
    editor.didChangeGit.fire();
    while (editor.asked.length < 2) {
      await setImmediate();
    }
    await setImmediate();
    assert.equal(told, 0);
    const next = new Promise<void>((resolve) => (wake = resolve));
    editor.changes = [...editor.changes, { path: 'b.ts', status: 'untracked', diff: '' }];
    editor.didChangeGit.fire();
    await next;
    listening.dispose();
    assert.equal(told, 1);
  });

  it('looks at the changes in Git once for all who listen, and no more when the last one has gone', async () => {
    const editor = new FakeWorkspace();
    const seen = withholdingWorkspace(editor, visibility);
    const told = ['first', 'second'].map((name) => {
      let listening = { dispose: (): void => undefined };
      const once = new Promise<string>((resolve) => (listening = seen.onDidChangeGit(() => resolve(name))));
      return { once, stop: () => listening.dispose() };
    });
    editor.changes = [...editor.changes, { path: 'b.ts', status: 'untracked', diff: '' }];
    editor.didChangeGit.fire();
    assert.deepEqual(await Promise.all(told.map(({ once }) => once)), ['first', 'second']);
    const looks = (): number => editor.asked.length;
    assert.equal(looks(), 2, 'before and after');
    told[0]?.stop();
    editor.didChangeGit.fire();
    while (looks() < 3) {
      await setImmediate();
    }
    told[1]?.stop();
    editor.didChangeGit.fire();
    await setImmediate();
    assert.equal(looks(), 3);
  });

  it('is nothing about the changes of a withheld file, which looks like one without changes', async () => {
    const editor = new FakeWorkspace();
    editor.changes = [{ path: '.env', status: 'modified', diff: '+KEY=1' }];
    const seen = withholdingWorkspace(editor, visibility);
    assert.deepEqual(
      await seen.getGitChanges({ ...firstPage, path: '.env' }, signal),
      await seen.getGitChanges({ ...firstPage, path: 'missing.ts' }, signal),
    );
  });

  it('is everything for the path ".", as in a listing, and no answer about what cannot be a path', async () => {
    const editor = new FakeEditor();
    for (const path of ['.', './']) {
      assert.deepEqual(await run('get_git_changes', { path }, editor), { changes: editor.workspace.changes }, path);
    }
    const folders = ['app', 'docs'].map((name, index) => ({ name, path: `/demo/${name}`, uri: `file:///demo/${name}`, index }));
    const seen = withholdingWorkspace(editor.workspace, createVisibility({ folders: () => folders, neverShown: [], grants: noGrants }));
    for (const path of ['src/a.ts', 'app~2/a.ts', 'a\0.ts']) {
      await assert.rejects(seen.getGitChanges({ ...firstPage, path }, signal), { code: 'editor.pathNotFound' }, path);
    }
    for (const path of ['app/.env', 'docs/missing.ts']) {
      assert.deepEqual((await seen.getGitChanges({ ...firstPage, path }, signal)).changes, [], path);
    }
  });
});

describe('The templates of the workspace', () => {
  it('are these', () => {
    assert.deepEqual(
      workspaceTemplates.map(({ listing, role }) => [listing['uriTemplate'], role]),
      [['terminal://{id}', 'runner']],
    );
  });
});
