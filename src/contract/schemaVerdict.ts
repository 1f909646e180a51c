/** What came of holding a value against a schema that a stranger wrote. */
export type SchemaVerdict =
  | { readonly kind: 'fits' }
  | { readonly kind: 'misfit'; readonly reason: string }
  /** It is no schema that could be used. */
  | { readonly kind: 'badSchema'; readonly reason: string }
  | { readonly kind: 'gaveUp'; readonly reason: string };
