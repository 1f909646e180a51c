import assert from 'node:assert/strict';
import { terminalText } from '../../../src/views/nativeText.ts';

describe('Text of a server in a terminal', () => {
  it('orders nothing: control characters and escape sequences are shown by their names', () => {
    const hostile = ['\u001b]52;c;cm0gLXJm\u0007', '\u001b[2J', '\u009b31m', 'safe\rrm -rf', '\u0008\u0008', '\u202e'];
    const shown = terminalText(hostile.join(' '));
    assert.doesNotMatch(shown.slice(0, -2), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.match(shown, /⟨U\+001B⟩\]52;c/);
  });

  it('begins each line at its beginning, and ends with a line break', () => {
    assert.equal(terminalText('one\n\ttwo\r\nthree\n\n'), 'one\r\n\ttwo\r\nthree\r\n');
  });

  it('is cut where nobody would scroll to', () => {
    assert.ok(terminalText('x'.repeat(2_000_000)).length < 600_000);
  });
});
