import { type ArgumentsOf, sentencesOf, type SentenceTable } from '../base/errors.ts';
import { shownArguments } from './problem.ts';

/** What a fix is called: in English to other editors, in the person's language in ours. */
export const fixTable = {
  'fix.addInput': 'Add the input “{input}” to this file',
  'fix.askAtStart': 'Ask for “{key}” when the server starts',
  'fix.change': 'Change to {to}',
  'fix.convert': 'Convert to the form of this file',
  'fix.copyAs': 'Copy “{name}” in the form of “{form}”',
  'fix.disable': 'Disable “{name}”',
  'fix.moveSecret': 'Move “{key}” to the secret storage',
  'fix.pin': 'Pin to {version}, which this machine has',
  'fix.useVariable': 'Replace by {variable}, which you set yourself',
  'fix.withoutShell': 'Start “{program}” without “{shell}”',
} as const satisfies SentenceTable;

type FixTable = typeof fixTable;
/** A code with the arguments that its title needs. */
export type FixWords = {
  readonly [Code in keyof FixTable]: { readonly code: Code; readonly args: ArgumentsOf<FixTable, Code> };
}[keyof FixTable];

export function titleOfFix({ code, args }: FixWords): string {
  return sentencesOf(fixTable)(code, shownArguments(args));
}
