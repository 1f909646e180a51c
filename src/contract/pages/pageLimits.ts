// What a page has to know of its messages while it runs. Their schemas it does not: the host checks what a page sends, and what a page
// gets was made by the same build.

/** Where a value for a field can come from. */
export const valueSources = ['selection', 'activePath', 'activeText', 'pickedPath', 'clipboard'] as const;
export type ValueSource = (typeof valueSources)[number];

/** What a command may have. */
export const maxCommand = 20_000;
/** What can be searched for among conversations. */
export const maxSearchLength = 200;
