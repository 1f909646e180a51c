import type { Event } from '../../../base/events.ts';

/** Files of the workspace by name and content, tasks, and what changed in Git. */
export interface WorkspacePort {
  findFiles(query: FileQuery, signal: AbortSignal): Promise<FilePage>;
  /** Rejects with `editor.pathNotFound` or `editor.isFile`. */
  listDirectory(query: DirectoryQuery, signal: AbortSignal): Promise<DirectoryPage>;
  searchText(query: TextQuery, signal: AbortSignal): Promise<TextPage>;
  listTasks(signal: AbortSignal): Promise<readonly TaskEntry[]>;
  getGitChanges(query: GitQuery, signal: AbortSignal): Promise<GitPage>;
  readonly onDidChangeGit: Event<void>;
}

/** Asked before anything is counted, so that limits and cursors tell nothing of what is withheld. */
export interface Screened {
  readonly isShown?: ((path: string) => boolean) | undefined;
  /** Of a whole text; line breaks stay. */
  readonly redact?: ((text: string) => Promise<string>) | undefined;
}

interface FileFilter extends Screened {
  readonly exclude?: string | undefined;
  readonly includeIgnored: boolean;
  readonly limit: number;
}

export interface FileQuery extends FileFilter {
  readonly pattern: string;
  /** Only paths after this one, in the order of answers. */
  readonly after?: string | undefined;
}

export interface FilePage {
  /** Sorted by path, code unit by code unit. */
  readonly files: readonly string[];
  readonly hasMore: boolean;
}

export interface DirectoryQuery extends Pick<Screened, 'isShown'> {
  /** Left out: the folder of the workspace, or all of them. */
  readonly path?: string | undefined;
  /** 1: only what is in the folder itself. */
  readonly depth: number;
  readonly limit: number;
}

export interface DirectoryEntry {
  readonly path: string;
  /** Links are not followed. */
  readonly kind: 'file' | 'directory' | 'symlink';
  /** Of a file, in bytes. */
  readonly size?: number | undefined;
}

export interface DirectoryPage {
  /** Level by level: what is near comes before what is deep. */
  readonly entries: readonly DirectoryEntry[];
  readonly hasMore: boolean;
  /** Folders that version control ignores, or keeps for itself: they are listed, and looked into only by their path. */
  readonly closed: readonly string[];
  /** Folders that could not be looked into. */
  readonly unread: readonly string[];
}

export interface TextQuery extends FileFilter {
  /** One line. A match inside what `redact` takes away counts for nothing. */
  readonly query: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  readonly include?: string | undefined;
  readonly after?: TextPlace | undefined;
}

/** A place in the order of answers: by path, then by line, then by character. */
export interface TextPlace {
  readonly path: string;
  readonly line: number;
  readonly character: number;
}

export interface TextMatch extends TextPlace {
  /** Exclusive. */
  readonly endCharacter: number;
  /** The line as it is, or the part of a long one around the match. */
  readonly preview: string;
  /** Only of a part: at which character of the line it starts. */
  readonly previewStart?: number | undefined;
}

export interface TextPage {
  readonly matches: readonly TextMatch[];
  /** Where to go on; none when everything was searched. A search whose time is over stops here, too. */
  readonly next?: TextPlace | undefined;
}

export interface TaskEntry {
  readonly name: string;
  readonly source: string;
  readonly group?: string | undefined;
}

export interface GitQuery extends Screened {
  /** `true`: the index against HEAD; `false`: the files against the index; left out: the files against HEAD. */
  readonly staged?: boolean | undefined;
  readonly path?: string | undefined;
  /** Counts of lines instead of differences. */
  readonly summary?: boolean | undefined;
  readonly limit: number;
  /** The page ends when the differences have about so many characters. */
  readonly maxChars: number;
  readonly after?: GitPlace | undefined;
}

/** A place in the order of answers: by path, then by status (a file taken out of the index is deleted and untracked). */
export interface GitPlace {
  readonly path: string;
  readonly status: string;
}

export interface GitPage {
  readonly changes: readonly GitChange[];
  readonly hasMore: boolean;
  /** Whether any folder of the workspace is in one. */
  readonly hasRepository: boolean;
}

export type GitStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'typeChanged' | 'conflicted' | 'untracked';

export interface GitChange {
  readonly path: string;
  readonly status: GitStatus;
  /** Unified; says so for binary files and where it was cut. */
  readonly diff?: string | undefined;
  /** In a summary, as far as they can be counted. */
  readonly addedLines?: number | undefined;
  readonly removedLines?: number | undefined;
  /** Of a rename or a copy. */
  readonly oldPath?: string | undefined;
}
