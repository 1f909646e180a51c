/** The text of open documents and workspace files, and what the person has selected. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled next
export interface DocumentsPort {}
