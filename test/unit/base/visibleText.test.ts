import assert from 'node:assert/strict';
import { endWithin, escapeInvisible, revealInContent, revealInvisible } from '../../../src/base/visibleText.ts';

describe('Text from outside', () => {
  it('shows zero-width, bidirectional, tag and control characters by their number', () => {
    assert.equal(revealInvisible('a\u200Bb\u202Ec\u{E0041}d\u0007e'), 'a⟨U+200B⟩b⟨U+202E⟩c⟨U+E0041⟩d⟨U+0007⟩e');
  });

  it('leaves line breaks, tabs, accents and emoji alone', () => {
    const text = 'one\ttwo\nZoë 日本 👍🏽 ❤️';
    assert.equal(revealInvisible(text), text);
  });

  it('shows every character of the classes that hide or disguise, and no other', () => {
    const isDisguise = /(?![\t\n ])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\p{Cc}\p{Z}\p{Cs}\u2800\u{1D159}\u{16FE4}]/u;
    const [plain, disguised]: [string[], string[]] = [[], []];
    for (let code = 0; code <= 0x10ffff; code += code < 0x20000 ? 1 : 331) {
      const character = String.fromCodePoint(code);
      (isDisguise.test(character) ? disguised : plain).push(character);
    }
    // Marks stand on a letter each: many on one are no text of any language.
    const visible = plain.join('x');
    assert.ok(revealInvisible(visible) === visible);
    const named = disguised.map((character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
    assert.ok(revealInvisible(disguised.join('x')) === named.join('x'));
  });

  it('names spaces that are not the space, private and blank characters', () => {
    assert.equal(
      revealInvisible('a\u00A0b\u2009c\u3000d\u2800e\u{1D173}f\uE000g\uD800h\uFFFFi'),
      'a⟨U+00A0⟩b⟨U+2009⟩c⟨U+3000⟩d⟨U+2800⟩e⟨U+1D173⟩f⟨U+E000⟩g⟨U+D800⟩h⟨U+FFFF⟩i',
    );
  });

  it('counts a run of one invisible character', () => {
    assert.equal(revealInvisible(`a${'\u00A0'.repeat(1500)}b\u200B\u200B`), 'a⟨1500 × U+00A0⟩b⟨U+200B⟩⟨U+200B⟩');
  });

  it('is shown however long a run of invisible characters is, of one kind or of many (release)', () => {
    assert.equal(revealInvisible('\u200B'.repeat(2_500_000)), '⟨2500000 × U+200B⟩');
    assert.ok(revealInContent('\u200B\u202E'.repeat(1_250_000)).startsWith('⟨U+200B⟩⟨U+202E⟩'));
    assert.ok(escapeInvisible('\u200B\u202E'.repeat(1_250_000)).endsWith('\\u200b\\u202e'));
  });

  it('ends where it would weigh too much, never within a character', () => {
    assert.deepEqual(endWithin('abc', 2, 40), { end: 2, weight: 2 });
    assert.deepEqual(endWithin('a👍b', 2, 40), { end: 1, weight: 1 });
    assert.deepEqual(endWithin('a\u200Bb\u200Bc', 60, 40), { end: 3, weight: 43 });
    assert.deepEqual(endWithin('a\u200Bb', 100, 40), { end: 3, weight: 43 });
  });

  it('counts marks that are stacked on one letter, and leaves those that a language has', () => {
    const text = 'Việt नमस्ते שָׁלוֹם';
    assert.equal(revealInContent(text.normalize('NFD')), text.normalize('NFD'));
    const stacked = revealInContent(`a${'\u0301'.repeat(100_000)}b`);
    assert.equal(stacked, `a${'\u0301'.repeat(16)}⟨99984 × U+0301…⟩b`);
    assert.equal(revealInvisible(stacked), stacked);
    const json = JSON.stringify({ a: `e${'\u0301\u0302'.repeat(10)}` });
    assert.deepEqual(JSON.parse(escapeInvisible(json)), JSON.parse(json));
  });

  it('keeps the selector of an emoji and shows one that stands anywhere else', () => {
    assert.equal(revealInvisible('❤️ 1\uFE0F x\uFE0F ❤\uFE0F\uFE0F'), '❤️ 1⟨U+FE0F⟩ x⟨U+FE0F⟩ ❤️⟨U+FE0F⟩');
  });

  it('keeps spaces and icons of content as they are, and still shows what hides in it', () => {
    assert.equal(revealInContent('Bonjour\u00A0! \uE0B0 \u200B\u{E0041}'), 'Bonjour\u00A0! \uE0B0 ⟨U+200B⟩⟨U+E0041⟩');
  });

  it('writes invisible characters as escapes that mean the same where the text stays JSON', () => {
    const json = JSON.stringify({ a: 'x\u00A0\u2800\u{1D173}❤️' });
    assert.equal(escapeInvisible(json), '{"a":"x\\u00a0\\u2800\\ud834\\udd73❤️"}');
    assert.deepEqual(JSON.parse(escapeInvisible(json)), JSON.parse(json));
  });
});
