import type { JsonObject } from '../base/json.ts';

/** One of the server's own results, kept for when there is no server. */
export interface RecordedResult {
  readonly rest: JsonObject;
  /** Lists are kept as places in `entries`: most revisions have the same. */
  readonly list?: { readonly key: string; readonly entries: readonly number[] } | undefined;
}

/** `dist/offlineAnswers.json`: written by the build out of the server, read by the bridge while no window is open. */
export interface OfflineAnswers {
  readonly entries: readonly JsonObject[];
  /** Revision, then method. */
  readonly revisions: Readonly<Record<string, Readonly<Record<string, RecordedResult>>>>;
}

export const offlineAnswersFile = 'offlineAnswers.json';
