import assert from 'node:assert/strict';
import { chmodSync, existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readGitChanges } from '../../../../../src/editor/workspace/git/gitChanges.ts';
import { GitProgram } from '../../../../../src/editor/workspace/git/gitProgram.ts';
import type { GitChange, GitPage, GitQuery } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { redactPart } from '../../../../../src/secrets/redactSecrets.ts';
import { longestBlock } from '../../../../support/longestBlock.ts';
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

  const usual: GitQuery = { limit: 200, maxChars: 25_000 };

  function page(query: Partial<GitQuery> = {}, only?: string, budgetMs?: number): Promise<GitPage> {
    const git = new GitProgram('git', neverAborted);
    const toClientPath = (absolute: string): string => relative(folder.path, absolute);
    return readGitChanges({ git, repositories: [folder.path], toClientPath, only }, { ...usual, ...query }, budgetMs);
  }

  async function changes(query: Partial<GitQuery> = {}, only?: string): Promise<(GitChange & { diff: string })[]> {
    return (await page(query, only)).changes.map((change) => ({ ...change, diff: change.diff ?? '' }));
  }

  /** Page after page, with the sizes of the pages. */
  async function allPages(query: Partial<GitQuery>, budgetMs?: number): Promise<{ readonly found: GitChange[]; readonly sizes: number[] }> {
    const found: GitChange[] = [];
    const sizes: number[] = [];
    for (let after: GitQuery['after']; ;) {
      const { changes: shown, hasMore } = await page({ ...query, after }, undefined, budgetMs);
      found.push(...shown);
      sizes.push(shown.length);
      after = shown.at(-1);
      if (!hasMore) {
        return { found, sizes };
      }
      assert.ok(after !== undefined, 'a page that is not the last has something on it');
    }
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

  it('is told for a folder also of a file that was moved out of it', async () => {
    folder.write('old/d.txt', 'dee\n'.repeat(20));
    folder.git('add', '--all');
    folder.git('commit', '--quiet', '-m', 'second');
    folder.git('mv', 'old/d.txt', 'd.txt');
    for (const only of ['old', 'old/', 'd.txt', undefined]) {
      assert.deepEqual(summary(await changes({}, only)), ['renamed old/d.txt>d.txt'], only);
    }
    assert.deepEqual(summary(await changes({}, 'ol')), []);
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
      const all = await readGitChanges({ git, repositories: [fresh.path], toClientPath, only: undefined }, usual);
      assert.deepEqual(summary(all.changes), ['added >a.txt']);
    } finally {
      fresh.remove();
    }
  });

  it('cuts a long diff and says how to get the rest', async () => {
    folder.write('a.txt', 'long line of text\n'.repeat(5_000));
    const [whole] = await changes();
    assert.ok((whole?.diff.length ?? 0) < 12_000);
    assert.match(whole?.diff ?? '', /\[cut: get_git_changes with path "a\.txt" and a larger maxChars shows more/);
    assert.ok(((await changes({ maxChars: 200_000 }, 'a.txt'))[0]?.diff.length ?? 0) > 80_000);
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

  it('shows no line of a private key, where the diff of a new file is cut or the file is too large to be looked through', async () => {
    const lines = Array.from({ length: 28 }, (_, index) => `MIIE${String(index).padStart(4, '0')}${'aB3/'.repeat(14)}`);
    const key = ['-----BEGIN RSA PRIVATE KEY-----', 'Proc-Type: 4,ENCRYPTED', '', ...lines, '-----END RSA PRIVATE KEY-----'].join('\n');
    const redact = (text: string): Promise<string> => redactPart(text, { from: 0, to: text.length });
    folder.write('new.txt', `${key}\n`);
    for (const maxChars of [700, 1_200, 1_900]) {
      assert.doesNotMatch(JSON.stringify(await changes({ redact, maxChars }, 'new.txt')), /MIIE/, `${maxChars}`);
    }
    const filler = `${'x'.repeat(99)}\n`.repeat(50_000);
    folder.write('large.txt', `${filler}${key}\n`);
    folder.git('add', '--all');
    folder.git('commit', '--quiet', '-m', 'large');
    folder.write('large.txt', `${filler}${key.replace(lines[20] ?? '', 'changed')}\n`);
    const [large] = await changes({ redact }, 'large.txt');
    assert.match(large?.diff ?? '', /not shown: .* larger than 4 MiB/);
    assert.doesNotMatch(large?.diff ?? '', /MIIE/);
  });

  it('shows no half of a secret where a long diff is cut', async () => {
    const key = `ghp_${'a1B2'.repeat(10)}`;
    folder.write('a.txt', `${'x'.repeat(9_870)}\nkey ${key}\n`);
    folder.write('new.txt', `${'x'.repeat(9_890)}\nkey ${key}\n`);
    const all = await changes({ redact: (text) => redactPart(text, { from: 0, to: text.length }) });
    assert.deepEqual(
      all.map(({ diff }) => [/\n\+x+\n\n\[cut: /.test(diff), diff.includes('ghp_')]),
      [
        [true, false],
        [true, false],
      ],
    );
  });

  it('ends a page when its time is over, and goes on with the next', async () => {
    folder.write('a.txt', 'changed\n');
    folder.write('b.txt', 'changed\n');
    const { found, sizes } = await allPages({}, -1);
    assert.deepEqual(
      [summary(found), sizes],
      [
        ['modified >a.txt', 'modified >b.txt'],
        [1, 1],
      ],
    );
  });

  it('comes in pages that hold everything exactly once, by number and by size (release)', async () => {
    folder.write('b.txt', 'changed\n'.repeat(100));
    folder.git('rm', '--quiet', '--cached', 'c.txt'); // deleted and untracked at once
    for (let index = 0; index < 40; index += 1) {
      folder.write(`many/${index}.txt`, `line\n`.repeat(index * 3));
    }
    const { found: all } = await allPages({ maxChars: 200_000, limit: 1_000 });
    assert.deepEqual(
      summary(all).filter((line) => !line.includes('many/')),
      ['modified >b.txt', 'deleted >c.txt', 'untracked >c.txt'],
    );
    assert.equal(all.length, 43);
    for (const query of [{ limit: 1 }, { limit: 7 }, { maxChars: 2_000 }, { maxChars: 5_000, limit: 9 }, { summary: true, limit: 2 }]) {
      const { found, sizes } = await allPages(query);
      assert.deepEqual(summary(found), summary(all), JSON.stringify(query));
      assert.ok(sizes.length > 4 && sizes.every((size) => size > 0 && size <= (query.limit ?? 200)), JSON.stringify(sizes));
    }
  });

  it('is counted in lines when only a summary is asked for', async () => {
    folder.write('a.txt', 'one\nTWO\nthree\n');
    folder.write('new.txt', 'x\ny');
    folder.write('picture.bin', Buffer.from([0, 1, 2]));
    renameSync(join(folder.path, 'b.txt'), join(folder.path, 'moved.txt'));
    folder.git('add', '--all', '--', 'b.txt', 'moved.txt');
    assert.deepEqual((await page({ summary: true })).changes, [
      { path: 'a.txt', status: 'modified', addedLines: 2, removedLines: 1 },
      { path: 'moved.txt', oldPath: 'b.txt', status: 'renamed', addedLines: 0, removedLines: 0 },
      { path: 'new.txt', status: 'untracked', addedLines: 2, removedLines: 0 },
      { path: 'picture.bin', status: 'untracked' },
    ]);
  });

  it('reads no more files than the page shows, however many there are', async () => {
    for (let index = 0; index < 300; index += 1) {
      folder.write(`new/${String(index).padStart(3, '0')}.txt`, 'fresh\n');
    }
    const looked: string[] = [];
    const isShown = (path: string): boolean => looked.push(path) > 0;
    const first = await page({ limit: 10, isShown });
    assert.deepEqual([first.changes.length, first.hasMore, looked.length], [10, true, 11]);
  });

  it('is looked through in turns with others, though none of it may be shown', async () => {
    for (let index = 0; index < 600; index += 1) {
      folder.write(`many/f${index}.txt`, '');
    }
    const slowRefusal = (): boolean => {
      const until = performance.now() + 1;
      while (performance.now() < until);
      return false;
    };
    const block = await longestBlock(async () => assert.deepEqual(await changes({ isShown: slowRefusal }), []));
    assert.ok(block < 400, `blocked for ${block.toFixed(0)} ms`);
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
