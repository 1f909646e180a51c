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
  `"${long}"`,
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
  `"${long}`,
  `"${long}\\"`,
  `"${long}"x`,
  `"${long}" "${long}"`,
  `["${long}\\x"]`,
];

describe('JSON that is parsed in slices', () => {
  it('is what JSON.parse makes of it', async () => {
    for (const text of texts) {
      assert.deepEqual(await parseInSlices(text), JSON.parse(text));
    }
  });

  it('is what JSON.parse makes of long strings, wherever their escapes stand', async () => {
    for (const seed of ['\\"', '\\\\', '\\n\\\\', '\\u0041', '\\\\u0041', '\\ud83d\\ude00', 'é\\u00e9"'.replace('"', '\\"')]) {
      for (let shift = 0; shift < 14; shift += 1) {
        const text = `{"a": ["${'-'.repeat(shift)}${seed.repeat(40_000)}"]}`;
        assert.deepEqual(await parseInSlices(text), JSON.parse(text), `${seed} ${shift}`);
      }
    }
  });

  it('is refused where JSON.parse refuses it', async () => {
    for (const text of wrong) {
      assert.throws(() => JSON.parse(text), SyntaxError);
      await assert.rejects(parseInSlices(text), SyntaxError, text.replace(long, '…'));
    }
  });

  it('is refused where it nests without end (release)', async () => {
    await assert.rejects(parseInSlices('['.repeat(1_000_000)), SyntaxError);
    await assert.rejects(parseInSlices(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`), SyntaxError);
  });

  it('lets others have their turn', async () => {
    const text = `[${'{"a":1},'.repeat(100_000)}1]`;
    assert.ok((await turnsOfOthers(() => parseInSlices(text))) > 5);
  });

  it('lets others have their turn within one string, too', async () => {
    const text = `{"items":[{"parts":[{"text":${JSON.stringify('[{"'.repeat(2_500_000))}}]}]}`;
    assert.ok((await turnsOfOthers(() => parseInSlices(text))) > 5);
  });
});
