import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilterRequest } from '../../../contract/searchMessages.ts';
import { openInPlace } from '../../../platform/files/openInPlace.ts';

/** A workspace folder as the search sees it. Paths in it are relative, with forward slashes. */
export interface SearchRoot {
  /** What client paths in this folder begin with: nothing, or its name and a slash. */
  readonly prefix: string;
  /** The folder on this machine's disk; `undefined` for virtual folders. */
  readonly path: string | undefined;
  readonly reader: FolderReader;
  /** Whether files may be in another encoding than UTF-8, so that only the reader can tell what is in them, and no engine by itself. */
  readonly needsReader?: boolean | undefined;
  /** Folders in it that are roots of their own, relative and with a slash at the end. */
  readonly without?: readonly string[] | undefined;
}

export interface FolderReader {
  /** Symbolic links are neither files nor folders: nothing is followed out of the workspace. Links to folders may be left out. */
  readFolder(relative: string): Promise<readonly FolderEntry[]>;
  /** `undefined` for what is missing, binary or larger than `maxBytes`. */
  readText(relative: string, maxBytes: number): Promise<string | undefined>;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link';
}

export interface TextPattern {
  readonly query: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/** A match, counted from 1 in UTF-16 code units; `endCharacter` is the first character after it. */
export interface LineMatch {
  readonly line: number;
  readonly character: number;
  readonly endCharacter: number;
  readonly text: string;
}

export interface ListOptions {
  readonly includeIgnored: boolean;
  /** Larger files are left out. */
  readonly maxBytes?: number | undefined;
  /**
   * A hint: files whose names this glob does not match need not be listed. It consists of letters, digits, `_`, `.`, `-` and
   * single stars.
   */
  readonly nameGlob?: string | undefined;
}

/**
 * What lists and searches files. There are two, which give equal answers: ripgrep, and one in JavaScript for where there is no
 * ripgrep.
 */
export interface SearchEngine {
  /** The files below the root that ignore rules leave, in no particular order. */
  list(root: SearchRoot, options: ListOptions, signal: AbortSignal): Promise<string[]>;
  /** The indexes of the paths that globs leave, in their order. */
  filter(request: FilterRequest, signal: AbortSignal): Promise<number[]>;
  /** Prepares a search; rejects with `search.badPattern`. */
  open(pattern: TextPattern, signal: AbortSignal): Promise<OpenSearch>;
}

/** A search for one pattern. */
export interface OpenSearch {
  /**
   * The files among those of `list` that have a match, and maybe some more. The answer is `undefined`, or the function left out,
   * where that cannot be told soon.
   */
  filesWithMatch?(root: SearchRoot, options: ListOptions): Promise<string[] | undefined>;
  /** Finds those of the files that have a match, and maybe some more. */
  matching(root: SearchRoot, files: readonly string[]): Promise<ReadonlySet<string>>;
  /** The matches in each of the texts. */
  searchTexts(texts: readonly string[]): Promise<readonly (readonly LineMatch[])[]>;
  dispose(): void;
}

/** Larger files are not searched. */
export const maxSearchedBytes = 5 * 1024 * 1024;

/** The most files that are listed of a workspace; more are left out. */
export const maxListedFiles = 300_000;

/** Folders that are never looked into, ignored or not: they belong to the version control, not to the person. */
export const hiddenFolders: readonly string[] = ['.git', '.hg', '.svn'];

/** Makes the text of a file of its bytes; `undefined` for binary content. */
export type DecodeFile = (relative: string, bytes: Uint8Array) => string | undefined | Promise<string | undefined>;

/** Reads a folder on this machine's disk. */
export function diskReader(root: string, decode: DecodeFile = (_relative, bytes) => decodeText(bytes)): FolderReader {
  return {
    readFolder: async (relative) => {
      const entries = await readdir(join(root, relative), { withFileTypes: true });
      return entries.flatMap((entry): FolderEntry[] => {
        if (entry.isDirectory()) {
          return [{ name: entry.name, kind: 'folder' }];
        }
        return entry.isFile() ? [{ name: entry.name, kind: 'file' }] : entry.isSymbolicLink() ? [{ name: entry.name, kind: 'link' }] : [];
      });
    },
    readText: async (relative, maxBytes) => {
      // A link may have taken the place of the file, or of a folder, since it was listed: what was opened counts.
      const opened = await openInPlace(join(root, relative));
      try {
        if (opened === undefined || !opened.stats.isFile() || opened.stats.size > maxBytes) {
          return undefined;
        }
        return opened.realPath === join(await realpath(root), relative)
          ? await decode(relative, await opened.handle.readFile())
          : undefined;
      } finally {
        await opened?.handle.close();
      }
    },
  };
}

/** The text of these bytes, which are in UTF-8 unless they begin with another mark; `undefined` for binary content. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const byteOrderMark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  if (byteOrderMark === undefined && bytes.includes(0)) {
    return undefined;
  }
  return new TextDecoder(byteOrderMark ?? 'utf-8').decode(bytes);
}
