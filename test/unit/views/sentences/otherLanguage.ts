import type { Translate } from '../../../../src/views/sentences/translate.ts';

/** An editor in another language, with a translation for some texts and English for the others. */
export function translating(texts: Readonly<Record<string, string>>): Translate {
  return (text, ...args) => (texts[text] ?? text).replace(/\{(\d+)\}/g, (_whole, index: string) => String(args[Number(index)]));
}
