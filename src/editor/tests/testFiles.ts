import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { folderPrefixes } from '../../platform/paths/clientPath.ts';
import { leadsOut } from '../../platform/paths/pathReach.ts';
import { findExecutable } from '../../platform/processes/findExecutable.ts';
import type { FoundFile, TestFolder, TestSources } from '../../testRuns/testGround.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { foldersOfWorkspace } from '../shared/workspaceFolders.ts';
import * as vscode from 'vscode';

/** The most files of one folder that are looked at. */
const maxListed = 2_000;

/** What is on the disk, as far as it says how tests are run. `searchPath` is the PATH the person has in a terminal. */
export function testFiles(
  searchPath: () => Promise<string>,
): Pick<TestSources, 'folders' | 'findFile' | 'listFiles' | 'findProgram' | 'nodeVersion' | 'shell'> {
  const findProgram = async (name: string): Promise<string | undefined> => {
    const { platform, env } = process;
    const search = { shownCommand: name, searchPath: await searchPath(), cwd: path.parse(process.execPath).root, platform };
    return findExecutable(name, { ...search, pathExtensions: env['PATHEXT'] }).catch(() => undefined);
  };
  return {
    folders: listTestFolders,
    findFile,
    listFiles: async (folder, name) => {
      const entries = await readdir(path.resolve(folder, name), { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => !entry.isDirectory())
        .slice(0, maxListed)
        .map((entry) => entry.name);
    },
    findProgram: async (names) => {
      for (const name of names) {
        if ((await findProgram(name)) !== undefined) {
          return name;
        }
      }
      return undefined;
    },
    nodeVersion: async () => readNodeVersion(await findProgram('node')),
    shell: process.platform === 'win32' ? 'windows' : 'posix',
  };
}

function listTestFolders(): readonly TestFolder[] {
  const folders = foldersOfWorkspace();
  const prefixes = folderPrefixes(folders);
  return folders
    .map(({ name, path: place, uri }, index) => ({ name: prefixes[index]?.replace(/\/$/, '') || name, path: place, uri }))
    .filter(({ uri }) => uri.startsWith('file:'))
    .map(({ name, path: place }) => ({ name, path: place }));
}

/** Finds a file of the folder. A single word that is a folder there is none: it is rather the name of a test. */
async function findFile(folder: string, named: string): Promise<FoundFile | undefined> {
  for (const file of [clientFile(named), named.includes('\0') ? undefined : path.resolve(folder, named)]) {
    const relative = file === undefined ? undefined : path.relative(folder, file);
    if (file === undefined || relative === undefined || leadsOut(relative)) {
      continue;
    }
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === true || (found?.isDirectory() === true && /[\\/]/.test(named))) {
      const isFolder = found.isDirectory();
      return { relative: relative.split(path.sep).join('/'), isFolder, clientPath: toClientPath(vscode.Uri.file(file)) };
    }
  }
  return undefined;
}

function clientFile(named: string): string | undefined {
  try {
    const uri = fromClientPath(named);
    return uri.scheme === 'file' ? uri.fsPath : undefined;
  } catch {
    return undefined; // a name
  }
}

/** Reads the version of Node from the headers that lie beside it, because nothing runs before the person was asked. */
async function readNodeVersion(program: string | undefined): Promise<number | undefined> {
  try {
    const folder = path.dirname(await realpath(program ?? ''));
    const headers = await readFile(path.join(folder, '..', 'include', 'node', 'node_version.h'), 'utf8');
    const major = /^#define NODE_MAJOR_VERSION (\d+)/m.exec(headers)?.[1];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}
