import type { ArgumentsOf, ErrorTable } from '../../base/errors.ts';

/**
 * `vscode.l10n.t`, handed in so that the tables of sentences can be read without an editor. The text is always written out
 * at the call: `npm run l10n` gathers it from there.
 */
export type Translate = (english: string, ...args: readonly (string | number | boolean)[]) => string;

/** A sentence for every failure of a room: a code without one does not compile. */
export type Sentences<Table extends ErrorTable> = {
  readonly [Code in keyof Table]: (args: ArgumentsOf<Table, Code>) => string;
};
