import { type Say, sayBy, sayInEnglish } from '../../../../src/base/errors.ts';
import type { Translate } from '../../../../src/views/sentences/translate.ts';

/** An editor in another language, with a translation for some texts of the views and English for the others. */
export function translating(texts: Readonly<Record<string, string>>): Translate {
  return (text, ...args) => (texts[text] ?? text).replace(/\{(\d+)\}/g, (_whole, index: string) => String(args[Number(index)]));
}

/** The same for the sentences of all rooms. */
export function sayingIn(texts: Readonly<Record<string, string>>): Say {
  return sayBy((english, args) => sayInEnglish(texts[english] ?? english, args));
}
