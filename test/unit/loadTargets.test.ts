import assert from 'node:assert/strict';
import { defaultLimits } from '../../src/server/access/limits.ts';
import { agent } from '../bench/httpPost.ts';
import { sseTarget, webSocketTarget } from '../bench/loadTargets.ts';
import { runServer, type RunningServer } from './server/support/runningServer.ts';

/** Clients that never hear of their end made a soak wait for them, and then fail for no reason that it could name. */
describe('A client of the soak', () => {
  let running: RunningServer;

  beforeEach(async () => {
    running = await runServer({ limits: { ...defaultLimits, sessions: 1 } });
  });

  afterEach(async () => {
    agent.destroy();
    await running.close();
  });

  const ways = {
    sse: (token: string) => sseTarget('sse', urls().sse, token, true),
    ws: (token: string) => webSocketTarget('ws', urls().ws, token, true),
  };

  function urls(): { readonly sse: string; readonly ws: string } {
    const { state } = running.server;
    return state.kind === 'listening' ? state.urls : assert.fail();
  }

  for (const [name, open] of Object.entries(ways)) {
    it(`hears over ${name} that there is no place for it`, async () => {
      const first = await open(running.otherToken());
      await assert.rejects(open(running.otherToken()), /429/);
      first.close?.();
    });

    it(`hears over ${name} that its connection ended in the middle of a call, and before the next`, async () => {
      const target = await open(running.otherToken());
      await target.call();
      const stopped = running.server.stop();
      await assert.rejects(async () => {
        for (;;) {
          await target.ask();
        }
      });
      await stopped;
      await assert.rejects(target.ask());
    });
  }
});
