import assert from 'node:assert/strict';
import { isLoopbackHost } from '../../../src/base/addresses.ts';

describe('A host is this machine', () => {
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.0.0.1.', '127.255.255.255', '::1', '[::1]']) {
    it(`when it is ${host}`, () => {
      assert.equal(isLoopbackHost(host), true);
    });
  }

  for (const host of [
    '',
    '.',
    'localhost..',
    'app.localhost',
    '.localhost',
    'localhost.evil.example',
    'notlocalhost',
    '127.evil.com',
    '127.0.0.1.evil.example',
    '127.0.0.256',
    '127.0.0.01',
    '127.0.0',
    '127.1',
    '127.0.0.0x1',
    '128.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '[::]',
    '[::1',
    '::1]',
    '[::2]',
    '[::ffff:7f00:1]',
    ' localhost',
    'localhost\n',
  ]) {
    it(`but not when it is ${JSON.stringify(host)}`, () => {
      assert.equal(isLoopbackHost(host), false);
    });
  }
});
