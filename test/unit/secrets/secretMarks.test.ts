import assert from 'node:assert/strict';
import { knownPlaces, replacePlaces } from '../../../src/secrets/secretMarks.ts';

describe('Secrets that were found in a text', () => {
  const secrets = new Set(['abc', 'abcdef', 'xyz1']);

  it('are found again where the person left them, the longest first, and are replaced all at once', () => {
    const text = 'abcdef abc ab xyz1xyz1 xyz';
    const places = knownPlaces(secrets, text);
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

  it('are found again however many there are', () => {
    const many = new Set(Array.from({ length: 300_000 }, (_, index) => `secret-${index}`));
    assert.deepEqual(knownPlaces(many, 'a secret-299999'), [{ from: 2, secret: 'secret-299999' }]);
  });

  it('are none in a text without them, and where nothing was found', () => {
    assert.deepEqual([knownPlaces(secrets, 'nothing'), knownPlaces(new Set(), 'abc'), knownPlaces(secrets, '')], [[], [], []]);
    assert.equal(replacePlaces('same', [], '*'), 'same');
  });
});
