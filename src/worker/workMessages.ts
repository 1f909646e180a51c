import type { SchemaVerdict } from '../contract/schemaVerdict.ts';
import type { ParsedReport, ReportText } from '../testRuns/parsers/report.ts';

/** What a thread of the pool can do, each with what comes of it. Texts, not objects: to pass them on costs next to nothing. */
export interface Work {
  readonly checkSchema: {
    /** Both JSON; without a value the schema alone is looked at. */
    readonly job: { readonly schema: string; readonly value: string | undefined };
    readonly result: SchemaVerdict;
  };
  readonly readReport: { readonly job: ReportText; readonly result: ParsedReport | undefined };
}

export type WorkKind = keyof Work;

export type WorkRequest = { readonly [K in WorkKind]: { readonly kind: K; readonly job: Work[K]['job'] } }[WorkKind];

export type WorkReply =
  /** From here on the time counts. */
  { readonly kind: 'begun' } | { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'failed'; readonly reason: string };

export type WorkOutcome<K extends WorkKind> =
  | { readonly kind: 'done'; readonly result: Work[K]['result'] }
  /** `reason` is the rest of a sentence: "it …". Whether the work itself is at fault: it would be given up again. */
  | { readonly kind: 'gaveUp'; readonly isItsFault: boolean; readonly reason: string };
