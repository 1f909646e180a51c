import { type Say, sayBy, sayInEnglish } from '../../../../src/base/errors.ts';

/** An editor in another language, with a translation for some texts and English for the others. */
export function sayingIn(texts: Readonly<Record<string, string>>): Say {
  return sayBy((english, args) => sayInEnglish(texts[english] ?? english, args));
}
