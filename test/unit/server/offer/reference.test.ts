import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readmePath, withReference } from '../../../support/reference/reference.ts';

describe('The reference in README', () => {
  it('says what the code says (`npm run reference` writes it)', async () => {
    const readme = readFileSync(readmePath, 'utf8');
    assert.equal(readme, await withReference(readme));
  });
});
