import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { packagedExtension } from '../../../src/build/steps.mjs';

const maxMegabytes = 1.5;

describe('The packaged extension', () => {
  it('is small', () => {
    const megabytes = statSync(packagedExtension()).size / 1024 / 1024;
    assert.ok(megabytes > 0.5 && megabytes <= maxMegabytes, `${megabytes.toFixed(2)} MB`);
  });
});
