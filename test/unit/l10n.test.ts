import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bundlePath, bundleText, gatherTexts } from '../support/l10n/gatherTexts.ts';
import { sameInGerman } from '../support/l10n/sameInGerman.ts';
import {
  compareTexts,
  languages,
  manifestTextsPath,
  mistakesIn,
  pluralPairs,
  readTexts,
  translationPath,
} from '../support/l10n/translations.ts';
import { repositoryRoot } from '../support/run/repository.mjs';

const texts = gatherTexts();

describe('The texts that people read', () => {
  it('are written out where they are translated', () => {
    assert.deepEqual(texts.problems, []);
  });

  it('stand in the bundle for translators, all of them and nothing else (npm run l10n)', () => {
    assert.equal(readFileSync(bundlePath, 'utf8'), bundleText(texts));
  });

  it('quote names by a translated sentence, because each language has its own marks', () => {
    const files = ['views', 'webview'].flatMap((room) =>
      readdirSync(path.join(repositoryRoot, 'src', room), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => path.join('src', room, name)),
    );
    assert.ok(files.length > 100);
    assert.deepEqual(
      files.filter((file) => readFileSync(path.join(repositoryRoot, file), 'utf8').includes('“${')),
      [],
    );
  });
});

for (const language of languages) {
  describe(`The texts in ${language}`, () => {
    const translated = readTexts(translationPath(language));
    const manifest = { english: readTexts(manifestTextsPath()), translated: readTexts(manifestTextsPath(language)) };

    it('are all there, and none whose text is gone (npm run l10n tells which)', () => {
      assert.deepEqual(compareTexts(texts.bundle, translated), { missing: [], stale: [] });
      assert.deepEqual(compareTexts(manifest.english, manifest.translated), { missing: [], stale: [] });
    });

    it('keep the names in braces, code, links, commands and settings, and end as their texts do', () => {
      const all = [
        ...Object.entries(translated).map(([english, text]) => [english, english, text] as const),
        ...Object.entries(manifest.translated).map(([key, text]) => [key, manifest.english[key] ?? '', text] as const),
      ];
      assert.deepEqual(
        all.flatMap(([key, english, text]) => mistakesIn(english, text).map((mistake) => `${key}: ${mistake}: ${text}`)),
        [],
      );
    });

    it('tell one thing from many where their texts do', () => {
      const pairs = pluralPairs(Object.keys(texts.bundle));
      assert.ok(pairs.length > 30, `only ${pairs.length} pairs were found`);
      const wrong = pairs.filter(([one, many]) => !/\b1\b/.test(translated[one] ?? '') || !(translated[many] ?? '').includes('{0}'));
      assert.deepEqual(wrong, []);
    });
  });
}

describe('The texts in German', () => {
  it('are the English ones only where both languages have the same word', () => {
    const same = Object.entries(readTexts(translationPath('de'))).flatMap(([english, text]) => (english === text ? [english] : []));
    assert.deepEqual(same.sort(), Object.values(sameInGerman).flat().sort());
  });

  it('name commands, views and buttons as they are called', () => {
    const translated = readTexts(translationPath('de'));
    const manifest = readTexts(manifestTextsPath('de'));
    const named = Object.values({ ...translated, ...manifest }).flatMap((text) => [
      ...text.matchAll(/(?:„|\*\*)Duplex: ([^“*]+)(?:“|\*\*)/g),
    ]);
    const titles = Object.entries(manifest).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : []));
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.flatMap(([, title = '']) => (titles.includes(title) ? [] : [title])),
      [],
    );
    for (const answer of ['Always deny', 'Allow', 'Allow for this session', 'Deny', 'Let the next one ask', 'Open in editor']) {
      const quoting = Object.entries(translated).filter(([english]) => english.includes(`“${answer}”`));
      const wrong = quoting.filter(([, text]) => !text.includes(`„${translated[answer]}“`)).map(([english]) => english);
      assert.deepEqual(wrong, [], answer);
    }
  });
});

describe('The check of translations', () => {
  it('finds what a translation must keep and does not', () => {
    const wrong: readonly (readonly [english: string, translated: string, mistake: string])[] = [
      ['Read {0}', 'Lesen', 'names in braces differ'],
      ['Write `run`.', 'Schreiben Sie `lauf`.', 'code differ'],
      ['[Go](command:duplex.doctor)', '[Los](command:duplex.addServer)', 'targets of links differ'],
      ['See https://example.com.', 'Siehe https://example.org.', 'addresses differ'],
      ['The setting duplex.registry.url.', 'Die Einstellung duplex.registry.', 'settings and commands differ'],
      ['**Not** now', 'Jetzt nicht', 'bold marks differ'],
      ['Yes', ' ', 'it is empty'],
      ['“{0}”', '„{0}”', 'a quote is not closed'],
      ['Add…', 'Hinzufügen', 'only one of them ends with an ellipsis'],
      ['Start it?', 'Starten.', 'they end with different marks'],
    ];
    for (const [english, translated, mistake] of wrong) {
      assert.ok(mistakesIn(english, translated).includes(mistake), `${english} → ${translated}`);
    }
    assert.deepEqual(compareTexts({ a: 'a', b: 'b' }, { b: 'c', d: 'e' }), { missing: ['a'], stale: ['d'] });
  });
});
