// What a page has to know of its messages while it runs, apart from their schemas: those stay with the host, which checks.

/** Where a value for a field can come from. */
export const valueSources = ['selection', 'activePath', 'activeText', 'pickedPath', 'clipboard'] as const;
export type ValueSource = (typeof valueSources)[number];

/** What a command may have. */
export const maxCommand = 20_000;
/** What can be searched for among conversations. */
export const maxSearchLength = 200;
