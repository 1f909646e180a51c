// paths/: how clients write paths (this file), where a path leads by its name, and where it really leads on the disk.
import { lstatSync } from 'node:fs';
import * as nodePath from 'node:path';
import { join, parse, sep } from 'node:path';
import { type AppError, errorMaker, type ErrorTable } from '../../base/errors.ts';
import { isOnAnotherMachine } from './pathReach.ts';
import { RealPaths } from './realPath.ts';

/** A folder of the workspace, with what is needed to read paths in it. */
export interface PathRoot {
  readonly name: string;
  /** The path of the folder on this machine, if it is there. */
  readonly path: string;
  readonly uri: string;
}

/** What the path that a client wrote means. */
export type ClientPlace =
  /** A file of this machine; the path is absolute and without `..`, as this system writes paths. */
  | { readonly kind: 'file'; readonly path: string }
  /** Anything that is no file of this machine; `path`, `query` and `fragment` are decoded. */
  | ({ readonly kind: 'document'; readonly uri: string } & UriParts);

export interface UriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

type Paths = Pick<typeof nodePath, 'isAbsolute' | 'normalize' | 'resolve' | 'sep'>;

/** The scheme of a URI has two letters at least: a single one is a drive. */
const uriStart = /^[a-z][a-z0-9+.-]+:/i;

/** The longest path that is read: longer than any system allows, also where a URI takes several characters for one. Looking through megabytes would hold others up. */
export const maxPathLength = 100_000;

/** Returns what client paths into each folder begin with: nothing in a workspace of one folder, else the folder's name, made unique. */
export function folderPrefixes(folders: readonly { readonly name: string }[]): string[] {
  if (folders.length < 2) {
    return folders.map(() => '');
  }
  const taken = new Set<string>();
  return folders.map(({ name }) => {
    // A name with a slash would read like a folder inside another one.
    const plain = name.replaceAll(/[\\/]/g, '_');
    let unique = plain;
    for (let count = 2; taken.has(unique); count += 1) {
      unique = `${plain}~${count}`;
    }
    taken.add(unique);
    return `${unique}/`;
  });
}

/**
 * Reads a client path, which is relative to the workspace, absolute, or a URI. This is the only place that does, for the filter and
 * for the editor alike. Nothing is looked up on the disk but the spelling of names that have two. `undefined` for what cannot be a
 * path, and for files on another machine: even to look whether they are there would call that machine.
 */
export function parseClientPath(
  clientPath: string,
  folders: readonly PathRoot[],
  { paths = nodePath, realPaths }: { readonly paths?: Paths | undefined; readonly realPaths?: RealPaths | undefined } = {},
): ClientPlace | undefined {
  const place = placeOf(clientPath, folders, paths);
  if (place?.kind !== 'file') {
    return place;
  }
  const homes = folders.map(({ path }) => path);
  if (isOnAnotherMachine(place.path, homes, paths.sep === '\\' ? 'windows' : 'posix')) {
    return undefined;
  }
  return paths.sep === nodePath.sep ? { kind: 'file', path: diskSpelling(place.path, realPaths ?? new RealPaths()) } : place;
}

function placeOf(clientPath: string, folders: readonly PathRoot[], paths: Paths): ClientPlace | undefined {
  if (clientPath === '' || clientPath.length > maxPathLength || clientPath.includes('\0')) {
    return undefined;
  }
  const prefixes = folderPrefixes(folders);
  const index = folders.length > 1 ? prefixes.findIndex((prefix) => `${clientPath}/`.startsWith(prefix)) : -1;
  const named = folders[index];
  if (named !== undefined) {
    return inFolder(named, clientPath.slice(prefixes[index]?.length), paths);
  }
  if (uriStart.test(clientPath)) {
    return fromUri(clientPath, paths);
  }
  if (paths.isAbsolute(clientPath)) {
    return fileAt(clientPath, paths);
  }
  const [only, ...others] = folders;
  return only === undefined || others.length > 0 ? undefined : inFolder(only, clientPath, paths);
}

export function parseUri(uri: string): UriParts | undefined {
  const match = /^([a-z][a-z0-9+.-]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(uri);
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = match ?? [];
  try {
    return match === null
      ? undefined
      : {
          scheme: scheme.toLowerCase(),
          authority: decodeURIComponent(authority),
          path: decodeURIComponent(path),
          query: decodeURIComponent(query),
          fragment: decodeURIComponent(fragment),
        };
  } catch {
    return undefined; // malformed percent-encoding
  }
}

function inFolder(folder: PathRoot, relative: string, paths: Paths): ClientPlace | undefined {
  if (folder.uri.startsWith('file:')) {
    return fileAt(paths.resolve(folder.path, relative), paths);
  }
  const encoded = relative.split('/').map(encodeURIComponent).join('/');
  return fromUri(`${folder.uri.replace(/\/$/, '')}/${encoded}`, paths);
}

function fromUri(uri: string, paths: Paths): ClientPlace | undefined {
  const parts = parseUri(uri);
  if (parts === undefined || parts.path.includes('\0')) {
    return undefined;
  }
  if (parts.scheme !== 'file') {
    // Some readers would resolve these and others not, and nobody needs them.
    const isPlain = !parts.path.split('/').some((segment) => segment === '..' || segment === '.');
    return isPlain ? { kind: 'document', uri, ...parts } : undefined;
  }
  const isHere = parts.authority === '' || parts.authority.toLowerCase() === 'localhost';
  if (paths.sep === '\\') {
    const path = isHere ? parts.path.replace(/^\/(?=[a-z]:)/i, '') : `//${parts.authority}${parts.path}`;
    return paths.isAbsolute(path) ? fileAt(path, paths) : undefined;
  }
  return isHere && paths.isAbsolute(parts.path) ? fileAt(parts.path, paths) : undefined;
}

function fileAt(path: string, paths: Paths): ClientPlace | undefined {
  const normal = paths.normalize(path);
  if (paths.sep === '\\' && (/^\\\\[?.]\\/.test(normal) || normal.slice(2).includes(':'))) {
    return undefined; // device paths and alternate streams: second spellings of the same file
  }
  return {
    kind: 'file',
    path: normal.length > 1 && normal.endsWith(paths.sep) && !/^[a-z]:\\$/i.test(normal) ? normal.slice(0, -1) : normal,
  };
}

/**
 * Returns the path with its names as they are on the disk. An "é" is one character or two, which look alike and are two names on
 * many disks: a name that is not there as it is written means the one that is there in the other spelling.
 */
export function diskSpelling(path: string, realPaths: RealPaths): string {
  if (hasOneSpelling(path)) {
    return path;
  }
  const { root } = parse(path);
  return path
    .slice(root.length)
    .split(sep)
    .reduce((folder, name) => join(folder, hasOneSpelling(name) ? name : spellingIn(folder, name, realPaths)), root);
}

/** Whether a name can only be written in one way, so that nothing has to be looked up for it. */
export function hasOneSpelling(text: string): boolean {
  return text.normalize('NFC') === text && text.normalize('NFD') === text;
}

function spellingIn(folder: string, name: string, realPaths: RealPaths): string {
  // A folder that may be on another machine is not looked into.
  if (realPaths.of(folder) === undefined || isThere(join(folder, name))) {
    return name;
  }
  const others = [name.normalize('NFC'), name.normalize('NFD')].filter((other) => other !== name && isThere(join(folder, other)));
  const [only, ...more] = others;
  return only === undefined || more.length > 0 ? name : only;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** This sentence is for clients and the models behind them, so it is in English only. */
const pathErrorTable = {
  'editor.pathNotFound': ({ path }: { path: string }) => `There is no "${path}" in this workspace.`,
} as const satisfies ErrorTable;

const pathError = errorMaker(pathErrorTable);

/** Makes the error for a path that is not there, and the same one for a path that is withheld, so that nobody can tell them apart. */
export function pathNotFound(path: string): AppError {
  return pathError('editor.pathNotFound', { path });
}
