import assert from 'node:assert/strict';
import { jsonHeaders } from '../support/httpPeer.ts';
import { runServer } from '../support/runningServer.ts';

describe('A limit of the embedded server', () => {
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
