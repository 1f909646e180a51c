import assert from 'node:assert/strict';
import { generatedPages, readPage, regenerate } from '../../../support/reference/generatedPages.ts';

describe('The reference', () => {
  for (const page of generatedPages) {
    it(`says in ${page.name} what the code says (\`npm run reference\` writes it)`, async () => {
      assert.equal(readPage(page), await regenerate(page));
    });
  }
});
