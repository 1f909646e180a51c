import type { expectedValueTable } from '../../contract/settings/schemaIssue.ts';
import type { Sentences, Translate } from './translate.ts';

/** What a value should have been, in words that follow "must be". */
export function expectedValues(t: Translate): Sentences<typeof expectedValueTable> {
  return {
    array: () => t('an array'),
    boolean: () => t('true or false'),
    definition: () => t('an object with a command or a url'),
    int: () => t('a whole number'),
    list: () => t('a list'),
    number: () => t('a number'),
    object: () => t('an object'),
    scalar: () => t('a text, a number, true, false or null'),
    servers: () => t('an object of name and definition'),
    string: () => t('a text'),
  };
}
