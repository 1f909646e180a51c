import type { Event } from '../../../base/events.ts';

/** The files of the workspace by name and content, its tasks, and what changed in Git. */
export interface WorkspacePort {
  findFiles(query: FileQuery, signal: AbortSignal): Promise<FilePage>;
  /** Lists a folder; rejects with `editor.pathNotFound` or `editor.isFile`. */
  listDirectory(query: DirectoryQuery, signal: AbortSignal): Promise<DirectoryPage>;
  searchText(query: TextQuery, signal: AbortSignal): Promise<TextPage>;
  listTasks(signal: AbortSignal): Promise<readonly TaskEntry[]>;
  getGitChanges(query: GitQuery, signal: AbortSignal): Promise<GitPage>;
  readonly onDidChangeGit: Event<void>;
}

/** Filters that are applied before anything is counted, so that limits and cursors reveal nothing about what is withheld. */
export interface Screened {
  readonly isShown?: ((path: string) => boolean) | undefined;
  /** Redacts the secrets of a whole text; line breaks stay. */
  readonly redact?: ((text: string) => Promise<string>) | undefined;
}

/** A pattern that matches on a line of every file in which `redact` finds something. Such files are searched whatever is looked for. */
export interface SecretsPort {
  readonly secretLine?: string | undefined;
}

interface FileFilter extends Screened {
  readonly exclude?: string | undefined;
  readonly includeIgnored: boolean;
  readonly limit: number;
}

export interface FileQuery extends FileFilter {
  readonly pattern: string;
  /** Returns only what is in this folder. */
  readonly folder?: string | undefined;
  /** Returns only paths after this one, in the order of the answer. */
  readonly after?: string | undefined;
}

export interface FilePage {
  /** The paths, sorted code unit by code unit. */
  readonly files: readonly string[];
  readonly hasMore: boolean;
}

export interface DirectoryQuery extends Pick<Screened, 'isShown'> {
  /** The folder; by default all folders of the workspace. */
  readonly path?: string | undefined;
  /** How many levels are listed; 1 means only what is directly in the folder. */
  readonly depth: number;
  readonly limit: number;
}

export interface DirectoryEntry {
  readonly path: string;
  /** What the entry is; links are not followed. */
  readonly kind: 'file' | 'directory' | 'symlink';
  /** The size of a file in bytes. */
  readonly size?: number | undefined;
}

export interface DirectoryPage {
  /** The entries level by level, so that near ones come before deep ones. */
  readonly entries: readonly DirectoryEntry[];
  readonly hasMore: boolean;
  /** Folders that Git ignores, or keeps for itself. They are listed, but their content only if the folder is asked for by its path. */
  readonly closed: readonly string[];
  /** Folders that could not be read. */
  readonly unread: readonly string[];
}

export interface TextQuery extends FileFilter, SecretsPort {
  /** The text to find, within one line. Matches inside redacted parts do not count. */
  readonly query: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  readonly include?: string | undefined;
  readonly after?: TextPlace | undefined;
}

/** A place in the order of the answer: by path, then by line, then by character. */
export interface TextPlace {
  readonly path: string;
  readonly line: number;
  readonly character: number;
}

export interface TextMatch extends TextPlace {
  /** Where the match ends; exclusive. */
  readonly endCharacter: number;
  /** The line, or the part of a long line around the match. */
  readonly preview: string;
  /** The character of the line at which the preview starts, if it is only a part of the line. */
  readonly previewStart?: number | undefined;
}

export interface TextPage {
  readonly matches: readonly TextMatch[];
  /** Where to continue; missing if everything was searched. It is also set if the time for the search was over. */
  readonly next?: TextPlace | undefined;
  /** Only if nothing was found: the first files that were not searched because of their size. */
  readonly tooLarge?: readonly string[] | undefined;
}

export interface TaskEntry {
  readonly name: string;
  readonly source: string;
  readonly group?: string | undefined;
}

export interface GitQuery extends Screened {
  /** `true` compares the index with HEAD, `false` the files with the index; without it the files are compared with HEAD. */
  readonly staged?: boolean | undefined;
  readonly path?: string | undefined;
  /** Whether lines are counted instead of returning diffs. */
  readonly summary?: boolean | undefined;
  readonly limit: number;
  /** The page ends when the diffs have about this many characters. */
  readonly maxChars: number;
  readonly after?: GitPlace | undefined;
}

/**
 * A place in the order of the answer: by path, then by status. A file that was removed from the index only is both deleted and
 * untracked.
 */
export interface GitPlace {
  readonly path: string;
  readonly status: string;
}

export interface GitPage {
  readonly changes: readonly GitChange[];
  readonly hasMore: boolean;
  /** Whether any folder of the workspace is in a Git repository. */
  readonly hasRepository: boolean;
}

export type GitStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'typeChanged' | 'conflicted' | 'untracked';

export interface GitChange {
  readonly path: string;
  readonly status: GitStatus;
  /** The unified diff; it says so if the file is binary and where it was cut. */
  readonly diff?: string | undefined;
  /** The number of added lines; in a summary only, if it can be counted. */
  readonly addedLines?: number | undefined;
  readonly removedLines?: number | undefined;
  /** The old path of a renamed or copied file. */
  readonly oldPath?: string | undefined;
}
