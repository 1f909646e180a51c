import assert from 'node:assert/strict';
import { hasLargeObject, hasMoreItems, hasMoreValues, isTooDeep, maxLevels } from '../../../src/base/jsonText.ts';

describe('An object with very many members', () => {
  const object = (members: number, value = '1'): string =>
    `{${Array.from({ length: members }, (_, index) => `"name${index}":${value}`).join(',')}}`;

  it('is seen in the text, wherever it stands', () => {
    assert.deepEqual(
      [object(101), `{"result":${object(101)}}`, `[1,${object(50, object(101))}]`].map((text) => hasLargeObject(text, 100)),
      [true, true, true],
    );
  });

  it('is not taken for one when it has as many, nor many small ones, arrays or what stands in texts', () => {
    const texts = [object(100), object(100, '{"a":1,"b":{}}'), `[${'1,'.repeat(9_000)}1]`, `{"a":"${'\\":1,'.repeat(900)}","b":1}`];
    assert.deepEqual(
      texts.map((text) => hasLargeObject(text, 100)),
      [false, false, false, false],
    );
    texts.forEach((text) => assert.equal(typeof JSON.parse(text), 'object'));
  });

  it('is a text that nests deeper than is followed', () => {
    assert.equal(hasLargeObject('{"a":'.repeat(2_000), 100), true);
  });
});

describe('The values of a text', () => {
  it('are counted wherever they stand', () => {
    for (const [text, values] of [
      ['[1,2,3]', 4],
      ['{"a":1,"b":[]}', 4],
      ['[[],[],{}]', 6],
      [`["${'[1,{'.repeat(50)}",1]`, 3],
    ] as const) {
      assert.deepEqual([hasMoreValues(text, values - 1), hasMoreValues(text, values)], [true, false], text);
    }
  });

  it('are told from what stands in texts, whatever is escaped there and however long that goes on', () => {
    const letters = ['\\', '"', '[', ',', '{', 'a', '\n', '\\"'];
    let state = 1;
    const next = (most: number): number => (state = (state * 48_271) % 2_147_483_647) % most;
    for (let round = 0; round < 300; round += 1) {
      const texts = Array.from({ length: 1 + next(6) }, () =>
        Array.from({ length: next(900) }, () => letters[next(letters.length)]).join(''),
      );
      const text = JSON.stringify(texts);
      assert.deepEqual(
        [hasMoreValues(text, texts.length), hasMoreValues(text, texts.length + 1), hasMoreItems(text, texts.length), isTooDeep(text)],
        [true, false, false, false],
      );
      assert.equal(isTooDeep(`[${text},${'['.repeat(2 * maxLevels)}`), true);
    }
  });
});
