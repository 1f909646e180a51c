import assert from 'node:assert/strict';
import { billOfMaterials } from '../../../src/build/billOfMaterials.mjs';

const written = {
  serialNumber: 'urn:uuid:1',
  metadata: { timestamp: '2026-11-01T00:00:00Z', component: { name: 'folder', description: '%description%' } },
  components: [
    { 'bom-ref': 'zod@4.0.0', scope: 'optional' },
    { 'bom-ref': 'mocha@12.0.0', scope: 'optional' },
  ],
};
const zod = { name: 'zod', version: '4.0.0', license: 'MIT', folder: 'node_modules/zod' };

describe('The bill of materials', () => {
  it('says what is in the extension and what only made it, and nothing of when and where', () => {
    assert.deepEqual(billOfMaterials(written, [zod], 'duplex'), {
      metadata: { component: { name: 'duplex' } },
      components: [
        { 'bom-ref': 'zod@4.0.0', scope: 'required' },
        { 'bom-ref': 'mocha@12.0.0', scope: 'excluded' },
      ],
    });
  });

  it('is not written where something is in the extension that npm does not know', () => {
    assert.throws(() => billOfMaterials(written, [{ ...zod, version: '5.0.0' }], 'duplex'), /npm does not know .*: zod@5\.0\.0/);
  });
});
