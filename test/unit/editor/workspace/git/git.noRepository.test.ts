import assert from 'node:assert/strict';
import type { Git } from '../../../../../src/editor/workspace/git/git.ts';
import type { ProgramResult, RunProgram } from '../../../../../src/platform/processes/runProgram.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

const program = `
  import { Git } from './src/editor/workspace/git/git.ts';
  export const newGit = (run) => new Git(run);
`;

/** A window with one folder, in which VS Code's own Git extension is disabled. */
const editor = `
  const event = () => ({ dispose() {} });
  export const Uri = { file: (fsPath) => ({ scheme: 'file', fsPath, path: fsPath, toString: () => 'file://' + fsPath }) };
  export const workspace = {
    isTrusted: true,
    workspaceFolders: [{ uri: Uri.file('/somewhere'), name: 'somewhere', index: 0 }],
    onDidSaveTextDocument: event,
    onDidCreateFiles: event,
    onDidDeleteFiles: event,
  };
  export const extensions = { getExtension: () => undefined };
  export const l10n = { t: (text) => text };
`;

const said = (exitCode: number, errorText: string): ProgramResult => ({ exitCode, output: Buffer.alloc(0), errorText, isCut: false });

describe('The changes of a workspace whose repository is looked for', () => {
  const changes = async (run: RunProgram): Promise<unknown> => {
    const { newGit } = await importWithFakes<{ readonly newGit: (run: RunProgram) => Git }>(program, { vscode: editor });
    const git = newGit(run);
    try {
      return await git.getChanges({ limit: 10, maxChars: 1_000 }, new AbortController().signal);
    } finally {
      git.dispose();
    }
  };

  it('are none when Git says that there is no repository', async () => {
    const page = await changes(async () => said(128, 'fatal: not a git repository'));
    assert.deepEqual(page, { changes: [], hasMore: false, hasRepository: false });
  });

  it('are unknown, and said to be, when Git is missing, too slow or could not be started', async () => {
    for (const [code, told] of [
      ['ENOENT', 'git.missing'],
      ['program.tooSlow', 'program.tooSlow'],
      ['EAGAIN', 'EAGAIN'],
    ] as const) {
      const failing: RunProgram = async () => {
        throw Object.assign(new Error('no'), { code });
      };
      await assert.rejects(changes(failing), { code: told });
    }
  });
});
