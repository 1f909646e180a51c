import assert from 'node:assert/strict';
import { isSameSecret, newSecret } from '../../../src/platform/randomSecrets.ts';

describe('A secret', () => {
  it('is the same as itself and as nothing else, whatever the lengths', () => {
    const secret = newSecret();
    const received = [secret, `${secret}x`, secret.slice(1), newSecret(), ''];
    assert.deepEqual(
      received.map((each) => isSameSecret(each, secret)),
      [true, false, false, false, false],
    );
  });
});
