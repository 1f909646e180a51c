import assert from 'node:assert/strict';
import { placesOf, replacePlaces } from '../../../../src/webview/question/knownSecrets.ts';

describe('Secrets that were found in a text', () => {
  const secrets = new Set(['abc', 'abcdef', 'xyz1']);

  it('are found again where the person left them, the longest first, and are replaced all at once', () => {
    const text = 'abcdef abc ab xyz1xyz1 xyz';
    const places = placesOf(secrets, text);
    assert.deepEqual(
      places.map(({ from, secret }) => [from, secret]),
      [
        [0, 'abcdef'],
        [7, 'abc'],
        [14, 'xyz1'],
        [18, 'xyz1'],
      ],
    );
    assert.equal(replacePlaces(text, places, '*'), '* * ab ** xyz');
  });

  it('are none in a text without them, and where nothing was found', () => {
    assert.deepEqual([placesOf(secrets, 'nothing'), placesOf(new Set(), 'abc'), placesOf(secrets, '')], [[], [], []]);
    assert.equal(replacePlaces('same', [], '*'), 'same');
  });
});
