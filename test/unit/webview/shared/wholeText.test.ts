import assert from 'node:assert/strict';
import { wholeText } from '../../../../src/webview/shared/wholeText.ts';

describe('Text of a stranger on a page', () => {
  it('says how many spaces and tabs a long run has', () => {
    assert.equal(wholeText(`a${' '.repeat(1500)}b`), 'a ⟨1,500 spaces⟩ b');
    assert.equal(wholeText(`a${'\t'.repeat(30)}b`), 'a ⟨30 tabs⟩ b');
    assert.equal(wholeText(`a${' \t'.repeat(30)}b`), 'a ⟨60 spaces and tabs⟩ b');
  });

  it('says how many empty lines there are, also at the beginning and the end', () => {
    assert.equal(wholeText(`a${'\n'.repeat(2001)}b`), 'a\n⟨2,000 empty lines⟩\nb');
    assert.equal(wholeText(`${'\n'.repeat(50)}b`), '⟨50 empty lines⟩\nb');
    assert.equal(wholeText(`a${'\n  \t'.repeat(50)}`), 'a\n⟨50 empty lines⟩');
  });

  it('counts spaces that are not the space', () => {
    assert.equal(wholeText(`a${'\u00A0'.repeat(1500)}b`), 'a⟨1500 × U+00A0⟩b');
  });

  it('leaves paragraphs and indentation alone', () => {
    const text = 'one\n\n  two:\n        deep\n\n\nthree\n';
    assert.equal(wholeText(text), text);
  });
});
