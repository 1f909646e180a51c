import { lstatSync } from 'node:fs';
import { join, parse, sep } from 'node:path';
import type { RealPaths } from './realPath.ts';

/**
 * The path as its names are on the disk. An "é" is one character or two, which look alike and are two names on many disks: a
 * name that is not there as it is written means the one that is there in the other spelling.
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
  // Nobody looks into a folder that may be on another machine.
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
