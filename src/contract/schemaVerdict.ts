import type { ArgumentRefusal } from './argumentFields.ts';

/** What came of holding a value against a schema that a stranger wrote. */
export type SchemaVerdict =
  | { readonly kind: 'fits' }
  /** `places`: as many of the reasons as anybody reads, each where it stands. */
  | { readonly kind: 'misfit'; readonly reason: string; readonly places: readonly ArgumentRefusal[] }
  /** It is no schema that could be used. */
  | { readonly kind: 'badSchema'; readonly reason: string }
  | { readonly kind: 'gaveUp'; readonly reason: string };
