import assert from 'node:assert/strict';
import { parseInSlices } from '../../../src/base/slicedJson.ts';
import { turnsOfOthers } from '../../support/longestBlock.ts';

const long = 'x'.repeat(150_000);
const texts = [
  '1',
  ' [1, 2] ',
  `{"a": "${long}", "b": [1, {"c": "\\"]}\\\\"}], "a": 2, "": null, "__proto__": {"d": 1}}`,
  `[ "${long}" , [ ] , { } , true , -1.5e3 , "\\\\" , [[["${long}"]]] ]\n`,
  `[[[[[[[[[[["${long}"]]]]]]]]]]]`,
];
const wrong = [
  '',
  '[1,]',
  `["${long}",]`,
  `["${long}"`,
  `["${long}"]]`,
  `["${long}"] 1`,
  `["${long}" 1]`,
  `[,"${long}"]`,
  `{"a":"${long}",}`,
  `{"a" "${long}"}`,
  `{a:"${long}"}`,
  `{"a":"${long}"]`,
  `["${long}", tru]`,
  `["${long}", [1}]`,
  `["${long}", "a`,
  `["${long}", "\n"]`,
];

describe('JSON that is parsed in slices', () => {
  it('is what JSON.parse makes of it', async () => {
    for (const text of texts) {
      assert.deepEqual(await parseInSlices(text), JSON.parse(text));
    }
  });

  it('is refused where JSON.parse refuses it', async () => {
    for (const text of wrong) {
      assert.throws(() => JSON.parse(text), SyntaxError);
      await assert.rejects(parseInSlices(text), SyntaxError, text.replace(long, '…'));
    }
  });

  it('is refused where it nests without end', async () => {
    await assert.rejects(parseInSlices('['.repeat(1_000_000)), SyntaxError);
    await assert.rejects(parseInSlices(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`), SyntaxError);
  });

  it('lets others have their turn', async () => {
    const text = `[${'{"a":1},'.repeat(500_000)}1]`;
    assert.ok((await turnsOfOthers(() => parseInSlices(text))) > 5);
  });
});
