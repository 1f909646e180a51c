import type * as z from 'zod';
import { isCodeOf, type Say, type SentenceTable } from '../../base/errors.ts';

/** What a schema has against a value, without words: settings, definitions and their files each have words of their own. */
export type SchemaIssue =
  /** `expected` is a name in `expectedValueTable`. */
  | { readonly kind: 'wrongType'; readonly expected: string }
  | { readonly kind: 'wrongValue'; readonly values: readonly string[] }
  | { readonly kind: 'noneOfSeveral'; readonly reason: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'tooSmall'; readonly least: string }
  | { readonly kind: 'tooLarge'; readonly most: string }
  /** Anything else, in the words of the schema. */
  | { readonly kind: 'other'; readonly reason: string };

/** Reads an issue of zod. Unknown keys are left to the caller: each is a problem of its own, in a place of its own. */
export function readIssue(issue: z.core.$ZodIssue): SchemaIssue {
  switch (issue.code) {
    case 'invalid_type':
      return { kind: 'wrongType', expected: expectedNames[issue.expected] ?? issue.expected };
    case 'invalid_value':
      return { kind: 'wrongValue', values: issue.values.map((value) => JSON.stringify(value)) };
    case 'invalid_union':
      return { kind: 'noneOfSeveral', reason: issue.message };
    case 'too_small':
      return issue.origin === 'number' ? { kind: 'tooSmall', least: String(issue.minimum) } : { kind: 'empty' };
    case 'too_big':
      return { kind: 'tooLarge', most: String(issue.maximum) };
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return { kind: 'other', reason: issue.message };
  }
}

/** Returns the place of an issue inside the value; our schemas have no symbols as keys. */
export function pathOf(issue: z.core.$ZodIssue): (string | number)[] {
  return issue.path.filter((step) => typeof step !== 'symbol');
}

const expectedNames: Readonly<Partial<Record<string, string>>> = { array: 'list', record: 'object' };

/** What fits a field of a definition that may be of several types. */
export function expectedOfSeveral(field: string): 'box' | 'scalar' {
  return field === 'sandbox' ? 'box' : 'scalar';
}

/** What a value should have been, in words that follow "must be". */
export const expectedValueTable = {
  array: 'an array',
  boolean: 'true or false',
  box: 'true, or an object with read, write and network',
  definition: 'an object with a command or a url',
  int: 'a whole number',
  list: 'a list',
  number: 'a number',
  object: 'an object',
  scalar: 'a text, a number, true, false or null',
  servers: 'an object of name and definition',
  string: 'a text',
} as const satisfies SentenceTable;

/** Returns the words for a name of that table, in one language; a name that is not in it stands for itself. */
export function expectedValue(name: string, say: Say): string {
  return isCodeOf(expectedValueTable, name) ? say(expectedValueTable[name]) : name;
}
