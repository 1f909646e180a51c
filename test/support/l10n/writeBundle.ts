import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { bundlePath, bundleText, gatherTexts } from './gatherTexts.ts';
import { compareTexts, languages, manifestTextsPath, readTexts, translationPath } from './translations.ts';

const texts = gatherTexts();
texts.problems.forEach((problem) => console.error(problem));
mkdirSync(path.dirname(bundlePath), { recursive: true });
writeFileSync(bundlePath, bundleText(texts));
console.log(`${Object.keys(texts.bundle).length} texts`);
languages.forEach(tidyTranslation);
process.exitCode = texts.problems.length > 0 ? 1 : 0;

/** Sorts the translations of a language, drops those whose text is gone, and tells which are missing, as JSON to be filled in. */
function tidyTranslation(language: string): void {
  const translated = readTexts(translationPath(language));
  const { missing, stale } = compareTexts(texts.bundle, translated);
  const known = Object.keys(texts.bundle).flatMap((key) => (translated[key] === undefined ? [] : [[key, translated[key]] as const]));
  writeFileSync(translationPath(language), bundleText({ bundle: Object.fromEntries(known), problems: [] }));
  const manifest = compareTexts(readTexts(manifestTextsPath()), readTexts(manifestTextsPath(language)));
  console.log(`${language}: ${missing.length} missing, ${stale.length} stale and dropped`);
  tell(`l10n/bundle.l10n.${language}.json`, missing, texts.bundle);
  tell(`package.nls.${language}.json`, manifest.missing, readTexts(manifestTextsPath()));
  manifest.stale.forEach((key) => console.log(`package.nls.${language}.json: ${key} is stale`));
}

function tell(file: string, missing: readonly string[], english: Readonly<Record<string, string>>): void {
  if (missing.length > 0) {
    console.log(`Missing in ${file}:\n${JSON.stringify(Object.fromEntries(missing.map((key) => [key, english[key]])), undefined, 2)}`);
  }
}
