import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Disposable } from '../../src/base/lifecycle.ts';
import { createEditorWorkspace } from '../../src/editor/workspace/editorWorkspace.ts';
import { findGitApi } from '../../src/editor/workspace/git/git.ts';
import type { WorkspacePort } from '../../src/server/seen/ports/workspacePort.ts';
import { until, workspacePath, threadProgram } from './support/duplex.ts';

const signal = new AbortController().signal;
const firstPage = { limit: 200, maxChars: 25_000 };

describe('What changed in Git, as VS Code sees it,', () => {
  let workspace: WorkspacePort & Disposable;

  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];
    execFileSync('git', [...identity, ...args], { cwd: workspacePath(), stdio: 'ignore' });
  };

  before(async () => {
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'first');
    workspace = createEditorWorkspace(threadProgram());
    // The built-in extension looks for repositories in its own time.
    await vscode.commands.executeCommand('git.openRepository', workspacePath()).then(undefined, () => undefined);
  });

  after(() => {
    workspace.dispose();
    rmSync(workspacePath('fresh.txt'), { force: true });
    git('checkout', '--quiet', '--', 'README.md');
    // The repository stays: VS Code's own extension is at work in it.
  });

  it('is told with paths of the workspace, and that it changed', async () => {
    let told = 0;
    const listening = workspace.onDidChangeGit(() => (told += 1));
    try {
      writeFileSync(workspacePath('README.md'), 'Another text.\n');
      writeFileSync(workspacePath('fresh.txt'), 'New.\n');
      const changes = await until('the changes', async () => {
        const { changes: found } = await workspace.getGitChanges(firstPage, signal);
        return found.length === 2 ? found : undefined;
      });
      assert.deepEqual(
        changes.map(({ path, status }) => [path, status]),
        [
          ['README.md', 'modified'],
          ['fresh.txt', 'untracked'],
        ],
      );
      assert.match(changes[0]?.diff ?? '', /\+Another text\./);
      const one = await workspace.getGitChanges({ ...firstPage, path: workspacePath('fresh.txt') }, signal);
      assert.deepEqual(
        one.changes.map(({ path }) => path),
        ['fresh.txt'],
      );
      for (const all of ['.', './', workspacePath(), `${workspacePath()}/`]) {
        const { changes: found } = await workspace.getGitChanges({ ...firstPage, path: all, summary: true }, signal);
        assert.deepEqual(
          found.map(({ path }) => path),
          ['README.md', 'fresh.txt'],
          all,
        );
      }
      await until('the news', () => (told > 0 ? true : undefined));
    } finally {
      listening.dispose();
    }
  });

  it('is told of a repository that VS Code has closed or not seen yet', async () => {
    const api = await findGitApi();
    await vscode.commands.executeCommand('git.close');
    await until('VS Code to close it', () => (api?.repositories.length === 0 ? true : undefined));
    writeFileSync(workspacePath('fresh.txt'), 'New.\n');
    const { changes, hasRepository } = await workspace.getGitChanges({ ...firstPage, path: 'fresh.txt' }, signal);
    assert.deepEqual([hasRepository, changes.map(({ path, status }) => [path, status])], [true, [['fresh.txt', 'untracked']]]);
  });
});
