import assert from 'node:assert/strict';
import { chmodSync, existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readGitChanges } from '../../../../../src/editor/workspace/git/gitChanges.ts';
import { GitProgram } from '../../../../../src/editor/workspace/git/gitProgram.ts';
import type { GitChange, GitQuery } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { redactPart } from '../../../../../src/server/seen/withheld/redactSecrets.ts';
import { neverAborted, SearchFolder } from '../../../server/support/searchFolder.ts';

describe('What changed in Git', () => {
  let folder: SearchFolder;

  beforeEach(() => {
    folder = new SearchFolder({ 'a.txt': 'one\ntwo\n', 'b.txt': 'bee\n'.repeat(20), 'c.txt': 'sea\n', '.env': 'KEY=1\n' });
    folder.git('init', '--quiet');
    folder.git('add', '--all');
    folder.git('commit', '--quiet', '-m', 'first');
  });

  afterEach(() => folder.remove());

  function changes(query: GitQuery = {}, only?: string): Promise<GitChange[]> {
    const git = new GitProgram('git', neverAborted);
    const toClientPath = (absolute: string): string => relative(folder.path, absolute);
    return readGitChanges({ git, repositories: [folder.path], toClientPath, only }, query);
  }

  const summary = (all: readonly GitChange[]): string[] => all.map(({ status, path, oldPath }) => `${status} ${oldPath ?? ''}>${path}`);

  it('is every file that differs from the last commit, with a diff, untracked ones included', async () => {
    folder.write('a.txt', 'one\nTWO\n');
    folder.write('new file.txt', 'fresh\n');
    rmSync(join(folder.path, 'c.txt'));
    const [modified, deleted, untracked] = await changes();
    assert.deepEqual(summary([modified, deleted, untracked].flatMap((change) => change ?? [])), [
      'modified >a.txt',
      'deleted >c.txt',
      'untracked >new file.txt',
    ]);
    assert.match(modified?.diff ?? '', /^diff --git a\/a\.txt b\/a\.txt\n[^]*-two\n\+TWO\n$/);
    assert.match(untracked?.diff ?? '', /\+\+\+ b\/new file\.txt\n@@ -0,0 \+1,1 @@\n\+fresh\n$/);
  });

  it('can be asked for the staged or the unstaged part alone, and for one file', async () => {
    folder.write('a.txt', 'staged\n');
    folder.git('add', 'a.txt');
    folder.write('a.txt', 'unstaged\n');
    folder.write('b.txt', 'changed\n');
    assert.deepEqual(summary(await changes({ staged: true })), ['modified >a.txt']);
    assert.match((await changes({ staged: true }))[0]?.diff ?? '', /\+staged\n/);
    assert.deepEqual(summary(await changes({ staged: false })), ['modified >a.txt', 'modified >b.txt']);
    assert.match((await changes({ staged: false }))[0]?.diff ?? '', /-staged\n\+unstaged\n/);
    assert.deepEqual(summary(await changes({}, 'b.txt')), ['modified >b.txt']);
  });

  it('knows renames, binary files, and links without following them', async () => {
    renameSync(join(folder.path, 'b.txt'), join(folder.path, 'moved.txt'));
    folder.write('picture.bin', Buffer.from([0, 1, 2]));
    folder.write('staged.bin', Buffer.from([0, 1, 2]));
    folder.git('add', '--all', '--', 'b.txt', 'moved.txt', 'staged.bin');
    symlinkSync('.env', join(folder.path, 'link'));
    const all = await changes();
    assert.deepEqual(summary(all), ['untracked >link', 'renamed b.txt>moved.txt', 'untracked >picture.bin', 'added >staged.bin']);
    assert.deepEqual(
      all.map(({ diff }) => /Binary files .* differ|\+\.env\n|rename to/.exec(diff)?.[0].trim()),
      ['+.env', 'rename to', 'Binary files /dev/null and b/picture.bin differ', 'Binary files /dev/null and b/staged.bin differ'],
    );
  });

  it('works before the first commit', async () => {
    const fresh = new SearchFolder({ 'a.txt': 'x\n' });
    try {
      fresh.git('init', '--quiet');
      fresh.git('add', '--all');
      const git = new GitProgram('git', neverAborted);
      const toClientPath = (absolute: string): string => relative(fresh.path, absolute);
      const all = await readGitChanges({ git, repositories: [fresh.path], toClientPath, only: undefined }, {});
      assert.deepEqual(summary(all), ['added >a.txt']);
    } finally {
      fresh.remove();
    }
  });

  it('cuts a long diff and says how to get the rest', async () => {
    folder.write('a.txt', 'long line of text\n'.repeat(5_000));
    const [whole] = await changes();
    assert.ok((whole?.diff.length ?? 0) < 25_000);
    assert.match(whole?.diff ?? '', /\[cut: call get_git_changes with path "a\.txt" for more/);
    assert.ok(((await changes({}, 'a.txt'))[0]?.diff.length ?? 0) > 80_000);
  });

  it('shows a rename with one withheld end as what the other end alone would be', async () => {
    const isShown = (path: string): boolean => !path.startsWith('.env');
    folder.write('.env', 'KEY=long enough to be recognised as the same file\n'.repeat(5));
    folder.git('commit', '--quiet', '--all', '-m', 'second');
    renameSync(join(folder.path, '.env'), join(folder.path, 'env.txt'));
    renameSync(join(folder.path, 'b.txt'), join(folder.path, '.env.local'));
    folder.git('add', '--all');
    const all = await changes({ isShown });
    assert.deepEqual(summary(all), ['deleted >b.txt', 'added >env.txt']);
    assert.doesNotMatch(JSON.stringify(all), /\.env/);
  });

  it('shows no half of a secret where a long diff is cut', async () => {
    const key = `ghp_${'a1B2'.repeat(10)}`;
    folder.write('a.txt', `${'x'.repeat(19_870)}\nkey ${key}\n`);
    folder.write('new.txt', `${'x'.repeat(19_880)}\nkey ${key}\n`);
    const all = await changes({ redact: (text) => redactPart(text, { from: 0, to: text.length }) });
    assert.deepEqual(
      all.map(({ diff }) => [/\n\+x+\n\n\[cut: /.test(diff), diff.includes('ghp_')]),
      [
        [true, false],
        [true, false],
      ],
    );
  });

  it('comes without diffs, which can still be asked for, once its time is over', async () => {
    folder.write('a.txt', 'changed\n');
    const git = new GitProgram('git', neverAborted);
    const toClientPath = (absolute: string): string => relative(folder.path, absolute);
    const [change] = await readGitChanges({ git, repositories: [folder.path], toClientPath, only: undefined }, {}, -1);
    assert.deepEqual([change?.path, change?.status], ['a.txt', 'modified']);
    assert.match(change?.diff ?? '', /^\n\[cut: call get_git_changes with path "a\.txt"/);
  });

  it('redacts a secret of which the diff shows only the middle', async () => {
    const key = Array.from({ length: 12 }, (_, line) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj${line}`);
    const text = (last: string): string => ['-----BEGIN PRIVATE KEY-----', ...key, '-----END PRIVATE KEY-----', last, ''].join('\n');
    folder.write('a.txt', text('one'));
    folder.git('commit', '--quiet', '--all', '-m', 'second');
    folder.write('a.txt', text('two'));
    const [change] = await changes({ redact: (text) => redactPart(text, { from: 0, to: text.length }) });
    assert.match(change?.diff ?? '', /\[redacted\]\n[^]*-one\n\+two\n$/);
    assert.doesNotMatch(change?.diff ?? '', /MIIE/);
  });

  it('fetches nothing', async () => {
    const program = join(folder.path, '.git', 'environment.sh');
    folder.write('.git/environment.sh', '#!/bin/sh\necho "$GIT_NO_LAZY_FETCH $GIT_TERMINAL_PROMPT"\n');
    chmodSync(program, 0o755);
    assert.equal(await new GitProgram(program, neverAborted).text(folder.path, []), '1 0\n');
  });

  it('runs no differ, converter, monitor, hook or pager that the repository names', async () => {
    const script = join(folder.path, '.git', 'evil.sh');
    folder.write('.git/evil.sh', '#!/bin/sh\ntouch "$(dirname "$0")/stolen"\ncat "$1" 2>/dev/null\n');
    chmodSync(script, 0o755);
    for (const [key, value] of [
      ['core.fsmonitor', script],
      ['diff.external', script],
      ['diff.evil.command', script],
      ['diff.evil.textconv', script],
      ['core.pager', script],
      ['core.hooksPath', join(folder.path, '.git')],
    ] as const) {
      folder.git('config', key, value);
    }
    folder.write('.git/info/attributes', '*.txt diff=evil\n');
    folder.write('a.txt', 'changed\n');
    rmSync(join(folder.path, '.git', 'stolen'), { force: true });
    assert.deepEqual(summary(await changes()), ['modified >a.txt']);
    assert.equal(existsSync(join(folder.path, '.git', 'stolen')), false);
  });
});
