import path from 'node:path';
import type { ProgramDisk } from '../../../../../src/platform/processes/findExecutable.ts';

/** A disk as Windows has it: one name in any case is one file. */
export function windowsDisk(files: Readonly<Record<string, string>>): ProgramDisk & { readonly asked: readonly string[] } {
  const known = new Map(Object.entries(files).map(([file, text]) => [key(file), text]));
  const asked: string[] = [];
  return {
    asked,
    isProgram: (file) => {
      asked.push(file);
      return Promise.resolve(known.has(key(file)));
    },
    readText: (file, most) => {
      const text = known.get(key(file));
      return Promise.resolve(text === undefined || Buffer.byteLength(text) > most ? undefined : text);
    },
  };
}

function key(file: string): string {
  return path.win32.normalize(file).toLowerCase();
}
