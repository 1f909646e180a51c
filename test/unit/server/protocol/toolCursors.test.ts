import assert from 'node:assert/strict';
import { cursorFor } from '../../../../src/server/offer/catalog/cursor.ts';
import { errorOf } from '../support/legacyRules.ts';
import { modernHeaders } from '../support/modernLinks.ts';
import { modern } from '../support/modernRules.ts';
import { runServer, type RunningServer } from '../support/runningServer.ts';

describe('A cursor that does not belong to the call of a tool', () => {
  let running: RunningServer;
  before(async () => {
    running = await runServer();
  });
  after(() => running.close());

  const foreign = { name: 'get_diagnostics', arguments: { source: 'ts', cursor: cursorFor(1, ['of another query']) } };
  const refused = { code: -32602, message: 'Invalid cursor', data: { parameter: 'cursor', reason: 'not a cursor of this list' } };

  for (const version of ['2024-11-05', '2025-11-25']) {
    it(`is refused with -32602 at ${version}`, async () => {
      const peer = running.peer();
      await peer.initialize(version);
      assert.deepEqual(errorOf((await peer.request('tools/call', foreign)).json), refused);
    });
  }

  it('is refused with -32602 at 2026-07-28', async () => {
    const call = modern(1, 'tools/call', foreign);
    assert.deepEqual(errorOf((await running.peer().post(call, modernHeaders(call))).json), refused);
  });
});
