/**
 * What the extension host and its search thread say to each other. Both ends are of one build and one process, so types
 * are enough. The thread answers every request with reports, the last of which is `finished`.
 */
export type SearchThreadRequest = FilterRequest | SearchRequest;

/** A request on its way. `taken`, which both ends see: how many reports the extension host has worked on. */
export interface SearchThreadOrder {
  readonly request: SearchThreadRequest;
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** So many reports may wait to be taken: all that do are worked on in one turn. */
export const maxWaitingReports = 8;

/** A regular expression as it travels to the thread that may be stopped. */
export interface PatternSource {
  readonly source: string;
  readonly flags: string;
}

export interface FilterRequest {
  readonly kind: 'filter';
  readonly paths: readonly string[];
  /** Globs match what follows the folder's name, and the whole. */
  readonly prefixLengths: readonly number[];
  readonly include: readonly PatternSource[];
  readonly exclude: readonly PatternSource[];
}

export interface SearchRequest {
  readonly kind: 'search';
  /** Files are read below it. */
  readonly root: string | undefined;
  readonly files: readonly string[];
  readonly texts: readonly (readonly [string, string])[];
  readonly pattern: PatternSource;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** `spans`: start and end of each match, from 0, one after the other. */
export interface MatchedLine {
  readonly line: number;
  readonly text: string;
  readonly spans: readonly number[];
}

export type SearchThreadReport =
  | { readonly kind: 'kept'; readonly indexes: readonly number[] }
  /** Of a file with many matches there are several, one after the other. */
  | { readonly kind: 'searched'; readonly file: string; readonly lines: readonly MatchedLine[] }
  | { readonly kind: 'finished' };
