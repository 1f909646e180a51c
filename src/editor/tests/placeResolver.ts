import { statSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { PlaceResolver } from '../../testRuns/recordedRun.ts';
import { toClientPath } from '../shared/clientUris.ts';

/** Places in reports to files of the workspace. Reports are written by anybody: what is not there, or elsewhere, is no place. */
export const resolvePlace: PlaceResolver = (file, cwd) => {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  const named = toPath(file);
  if (named === undefined) {
    return undefined;
  }
  const bases = [...(cwd === undefined ? [] : [cwd]), ...folders];
  const candidates = path.isAbsolute(named) ? [path.normalize(named)] : bases.map((base) => path.resolve(base, named));
  const found = candidates.find((candidate) => isInWorkspace(candidate) && isFile(candidate));
  return found === undefined ? undefined : toClientPath(vscode.Uri.file(found));
};

function toPath(file: string): string | undefined {
  if (!file.startsWith('file:')) {
    return file.includes('\0') ? undefined : file;
  }
  try {
    return fileURLToPath(file);
  } catch {
    return undefined;
  }
}

function isInWorkspace(file: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
