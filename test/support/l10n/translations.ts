import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

/** The languages besides English. */
export const languages = ['de'] as const;

type Texts = Readonly<Record<string, string>>;

export function translationPath(language: string): string {
  return path.join(root, `l10n/bundle.l10n.${language}.json`);
}

export function manifestTextsPath(language?: string): string {
  return path.join(root, language === undefined ? 'package.nls.json' : `package.nls.${language}.json`);
}

export function readTexts(file: string): Texts {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Texts) : {};
}

/** The texts that have no translation yet, and the translations whose text is gone. */
export function compareTexts(
  english: Texts,
  translated: Texts,
): { readonly missing: readonly string[]; readonly stale: readonly string[] } {
  return {
    missing: Object.keys(english).filter((key) => !Object.hasOwn(translated, key)),
    stale: Object.keys(translated).filter((key) => !Object.hasOwn(english, key)),
  };
}

/**
 * What a translation has to keep as it is: names in braces, code, variables, addresses and commands of links, settings, bold marks
 * and line breaks. `https://` alone is a word of the sentence.
 */
const kept: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['names in braces', /\{\w+\}/g],
  ['code', /`[^`]*`/g],
  ['variables', /\$\{[^}]*\}/g],
  ['targets of links', /\]\([^)]*\)/g],
  ['addresses', /\b(?:https?|wss?):\/\/\w[^\s,;)“”"`]*?(?=[.:]?(?:[\s,;)“”"`]|$))/g],
  ['settings and commands', /\bduplex\.[A-Za-z.]*[A-Za-z]/g],
  ['environment variables', /\b[A-Z]+_[A-Z_]+\b/g],
  ['bold marks', /\*\*/g],
  ['line breaks', /\n/g],
  ['JSON', /\{"[^{}]*\}/g],
];

/** What is wrong with a translation, in words. The quotes of German stand in pairs. */
export function mistakesIn(english: string, translated: string): readonly string[] {
  const mistakes = kept.flatMap(([what, pattern]) => {
    const [before, after] = [english, translated].map((text) => (text.match(pattern) ?? []).sort());
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [`${what} differ`];
  });
  const count = (mark: string): number => translated.split(mark).length - 1;
  return [
    ...mistakes,
    ...(translated.trim() === '' ? ['it is empty'] : []),
    ...(/^\s|\s$/.test(translated) && !/^\s|\s$/.test(english) ? ['there is a space at an end'] : []),
    ...(count('„') === count('“') && !translated.includes('”') ? [] : ['a quote is not closed']),
    ...(english.endsWith('…') === translated.endsWith('…') ? [] : ['only one of them ends with an ellipsis']),
    ...(/[.?!:]$/.exec(english)?.[0] === /[.?!:]$/.exec(translated)?.[0] ? [] : ['they end with different marks']),
  ];
}

/** The pairs of texts of which one is for one thing and the other for many: `1 tool` and `{0} tools`. */
export function pluralPairs(texts: readonly string[]): readonly (readonly [one: string, many: string])[] {
  const singular = texts.filter((text) => /(?:^|[^\w.,])1 \w/.test(text));
  return singular.flatMap((one) => {
    const stem = one.replace(/(^|[^\w.,])1 /, '$1{0} ');
    const many = texts.find((text) => text === `${stem}s` || sameButForS(stem, text));
    return many === undefined ? [] : [[one, many] as const];
  });
}

/** Whether two texts differ only by endings of their words. */
function sameButForS(one: string, many: string): boolean {
  const words = (text: string): string[] => text.split(' ');
  const [left, right] = [words(one), words(many)];
  return left.length === right.length && one !== many && left.every((word, index) => stemOf(word) === stemOf(right[index] ?? ''));
}

function stemOf(word: string): string {
  return word.replace(/(?:ies|es|s|y)$/, '');
}
