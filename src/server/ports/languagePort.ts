/** What language services know: symbols, syntax, places, hovers, calls, code actions. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled next
export interface LanguagePort {}
