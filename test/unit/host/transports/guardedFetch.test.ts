import assert from 'node:assert/strict';
import { EventGuard } from '../../../../src/host/transports/guardedFetch.ts';

describe('An event stream', () => {
  it('has its event also where the end of a line and the empty line after it come in pieces', async () => {
    const guard = new EventGuard(1_000);
    let passed = '';
    for (const piece of ['data: {}\r', '\n', '\n']) {
      passed += Buffer.from((await guard.accept(Buffer.from(piece))) ?? []).toString();
    }
    assert.equal(passed, 'data: {}\n\n');
  });
});
