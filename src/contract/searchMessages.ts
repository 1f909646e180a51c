/**
 * The jobs of the thread that runs other people's patterns. It tells what it found piece by piece, so that its owner sees that it
 * lives.
 */
export interface SearchJobs {
  /** Each part has the indexes of some of the paths that are left. */
  readonly filterPaths: { readonly job: FilterRequest; readonly part: readonly number[]; readonly result: undefined };
  readonly searchTexts: { readonly job: SearchRequest; readonly part: SearchedFile; readonly result: undefined };
}

/** Matches in one file; a file with many matches comes in several parts, one after the other. */
export interface SearchedFile {
  readonly file: string;
  readonly lines: readonly MatchedLine[];
}

/** A regular expression as it travels to the thread that may be stopped. */
export interface PatternSource {
  readonly source: string;
  readonly flags: string;
}

/** Asks which of these paths the globs leave. */
export interface FilterRequest {
  readonly paths: readonly string[];
  /** How much of each path is the name of its workspace folder: globs match the path with and without it. */
  readonly prefixLengths: readonly number[];
  readonly include: readonly PatternSource[];
  readonly exclude: readonly PatternSource[];
}

/** Asks where a pattern matches in files on disk, and in texts that come along. */
export interface SearchRequest {
  /** The folder that `files` are relative to; `undefined` when there are only texts. */
  readonly root: string | undefined;
  readonly files: readonly string[];
  /** Texts to search, each with the name under which its matches are told. */
  readonly texts: readonly (readonly [string, string])[];
  readonly pattern: PatternSource;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** A line with at least one match. `spans` holds start and end of each match, from 0, one after the other. */
export interface MatchedLine {
  readonly line: number;
  readonly text: string;
  readonly spans: readonly number[];
}
