// What a page has to know about its messages while it runs. It does not load their schemas: the extension host checks what a page
// sends, and what a page gets was made by the same build.

/** Where the value of a field can be taken from. */
export const valueSources = ['selection', 'activePath', 'activeText', 'pickedPath', 'clipboard'] as const;
export type ValueSource = (typeof valueSources)[number];

/** The longest command, in characters, that the chat can run. */
export const maxCommand = 20_000;
/** The longest text that can be searched for among conversations. */
export const maxSearchLength = 200;
