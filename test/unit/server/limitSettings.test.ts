import assert from 'node:assert/strict';
import { readLimits } from '../../../src/server/limitSettings.ts';
import { jsonHeaders } from './support/httpPeer.ts';
import { runServer } from './support/runningServer.ts';

describe('duplex.server.limits', () => {
  it('takes positive, bounded numbers and names what it ignores', () => {
    const { limits, problems } = readLimits({
      bodyBytes: 65_536,
      sessions: 0,
      streams: '5',
      requestsPerSecond: 1e12,
      actingPerSecond: 1.5,
      oauthPerSecond: 20,
      idleSessionMinutes: 0.5,
      requestsInFlight: 3,
      constructor: 1,
    });
    assert.deepEqual(limits, { bodyBytes: 65_536, oauthPerSecond: 20, idleSessionMinutes: 0.5 });
    assert.deepEqual(
      problems.map((problem) => /"(\w+)"/.exec(problem)?.[1]),
      ['sessions', 'streams', 'requestsPerSecond', 'actingPerSecond', 'requestsInFlight', 'constructor'],
    );
  });

  it('anything but an object counts as not set', () => {
    assert.deepEqual([readLimits(undefined).problems.length, readLimits([]).problems.length, readLimits(3).limits], [0, 1, {}]);
  });

  it('holds from the next start of the listener on, and no longer than that', async () => {
    const running = await runServer();
    const post = async (): Promise<number> => {
      const { state, windowToken = '' } = running.server;
      const headers = { ...jsonHeaders, authorization: `Bearer ${windowToken}` };
      const port = state.kind === 'listening' ? state.port : 0;
      const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ x: 'x'.repeat(2_000) }),
      });
      await answer.text();
      return answer.status;
    };
    assert.equal(await post(), 400);
    await running.server.stop();
    await running.server.start({ limits: { bodyBytes: 1_024 } });
    assert.equal(await post(), 413);
    await running.server.stop();
    await running.server.start();
    assert.equal(await post(), 400);
    await running.close();
  });
});
