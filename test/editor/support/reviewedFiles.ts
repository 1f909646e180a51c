import assert from 'node:assert/strict';
import { access as exists, mkdir, readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../../src/app/app.ts';
import { answer, discardAll, keepUnsaved, proposalTabs, textOf, writeFile, type ToolResult } from './actingCalls.ts';
import { activateDuplex, until, workspacePath } from './duplex.ts';

/** The folder of the running test. Each test has its own: VS Code remembers the texts of files that come back. */
let folder = '';
let count = 0;

/** Gives each test of a suite a folder of its own, and leaves neither files nor diffs behind. */
export function useReviewedFolders(): { readonly access: () => TestAccess; readonly folder: () => string } {
  let access: TestAccess;
  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });
  beforeEach(() => {
    count += 1;
    folder = `reviewed${count}`;
  });
  afterEach(async () => {
    assert.deepEqual(
      proposalTabs().map(({ label }) => label),
      [],
      'no diff is left open',
    );
    await discardAll();
    await rm(workspacePath(folder), { recursive: true, force: true });
  });
  return { access: () => access, folder: () => folder };
}

export interface FileProposal {
  readonly path: string;
  readonly newText?: string;
  readonly moveTo?: string;
  readonly delete?: boolean;
}

export const fourChanges = (): readonly FileProposal[] => [
  { path: `${folder}/edited.txt`, newText: 'EDITED\n' },
  { path: `${folder}/made.txt`, newText: 'made\n' },
  { path: `${folder}/moved.txt`, moveTo: `${folder}/sub/moved.txt`, newText: 'MOVED\n' },
  { path: `${folder}/gone.txt`, delete: true },
];

export async function writeFour(): Promise<void> {
  await mkdir(workspacePath(folder), { recursive: true });
  for (const name of ['edited', 'moved', 'gone']) {
    await writeFile(`${folder}/${name}.txt`, `${name}\n`);
  }
}

/** Neither on disk nor in an editor. */
export async function demandUntouched(): Promise<void> {
  const names = ['edited.txt', 'moved.txt', 'gone.txt'];
  assert.deepEqual(await Promise.all(names.map(onDisk)), ['edited\n', 'moved\n', 'gone\n']);
  assert.deepEqual(await Promise.all(names.map((name) => textOf(uriOf(name)))), ['edited\n', 'moved\n', 'gone\n']);
  assert.deepEqual([await isThere('made.txt'), await isThere('sub')], [false, false]);
}

export type Outcomes = readonly (readonly [path: string, outcome: string, isSaved: boolean])[];

export function outcomes(content: Record<string, unknown> | undefined): Outcomes {
  const files = content?.['files'] as readonly { readonly path: string; readonly outcome: string; readonly isSaved: boolean }[];
  return files.map(({ path, outcome, isSaved }) => [path.replace(`${folder}/`, ''), outcome, isSaved]);
}

export type ReviewCommand = Parameters<typeof answer>[0];

/** Answers the whole change. */
export function press(command: ReviewCommand, result: Promise<ToolResult>, argument?: unknown): Promise<ToolResult> {
  return answer(command, argument, result);
}

/** Answers the file in front until as many diffs are left. */
export async function answerFirst(command: ReviewCommand, argument: unknown, left: number): Promise<void> {
  await until(`${command} to count`, async () => {
    await vscode.commands.executeCommand(`duplex.${command}`, argument);
    return proposalTabs().length === left ? true : undefined;
  });
}

export function uriOf(name: string): vscode.Uri {
  return vscode.Uri.file(workspacePath(folder, name));
}

export function onDisk(name: string): Promise<string> {
  return readFile(workspacePath(folder, name), 'utf8');
}

export async function isThere(name: string): Promise<boolean> {
  return exists(workspacePath(folder, name)).then(
    () => true,
    () => false,
  );
}
