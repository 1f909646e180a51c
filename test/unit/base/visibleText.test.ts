import assert from 'node:assert/strict';
import { revealInvisible } from '../../../src/base/visibleText.ts';

describe('Text from outside', () => {
  it('shows zero-width, bidirectional, tag and control characters by their number', () => {
    assert.equal(revealInvisible('a\u200Bb\u202Ec\u{E0041}d\u0007e'), 'a⟨U+200B⟩b⟨U+202E⟩c⟨U+E0041⟩d⟨U+0007⟩e');
  });

  it('leaves line breaks, tabs, accents and emoji alone', () => {
    const text = 'one\ttwo\nZoë 日本 👍🏽 ❤️';
    assert.equal(revealInvisible(text), text);
  });
});
