import { sentencesOf, type ErrorTable } from '../base/errors.ts';

/** What a value should have been, in words that follow "must be"; views/ has the same in the person's language. */
export const expectedValueTable = {
  array: () => 'an array',
  boolean: () => 'true or false',
  definition: () => 'an object with a command or a url',
  int: () => 'a whole number',
  list: () => 'a list',
  number: () => 'a number',
  object: () => 'an object',
  scalar: () => 'a text, a number, true, false or null',
  servers: () => 'an object of name and definition',
  string: () => 'a text',
} as const satisfies ErrorTable;

/** A name without words stands for itself. */
export function expectedValue(name: string, table: ErrorTable = expectedValueTable): string {
  return Object.hasOwn(table, name) ? sentencesOf(table)(name) : name;
}
