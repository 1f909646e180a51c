import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { bundlePath, bundleText, gatherTexts } from '../support/l10n/gatherTexts.ts';

describe('The texts that people read', () => {
  const texts = gatherTexts();

  it('are written out where they are translated', () => {
    assert.deepEqual(texts.problems, []);
  });

  it('stand in the bundle for translators, all of them and nothing else (npm run l10n)', () => {
    assert.equal(readFileSync(bundlePath, 'utf8'), bundleText(texts));
  });
});
