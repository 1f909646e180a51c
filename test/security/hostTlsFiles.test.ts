import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import * as path from 'node:path';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { Cleanup, listenOn, streamable } from '../unit/host/remoteSupport.ts';
import { createTestHost, failureOf } from '../unit/host/support.ts';

const certificate = (name: string): string => path.join(import.meta.dirname, '../unit/host/transports/certificates', name);

describe('The authorities of a server', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('that were allowed are those that are used, also when their file is swapped before the connection opens', async () => {
    const pem = (name: string): string => readFileSync(certificate(name), 'utf8');
    const hostile = createServer({ cert: pem('server.pem'), key: pem('server.key.pem') }, streamable());
    const peer = cleanup.add(await listenOn(hostile, [], 'https://127.0.0.1', '/mcp'));
    const folder = createTemporaryFolder();
    const ca = path.join(folder, 'ca.pem');
    let swapped = 0;
    const host = await createTestHost({
      folder,
      ports: {
        // The last thing before the connection opens: from here on, everything has been checked.
        authFor: () => {
          swapped += 1;
          copyFileSync(certificate('ca.pem'), ca);
          return undefined;
        },
      },
    });
    try {
      for (const [allowed, outcome] of [
        ['client.pem', 'host.certificate'],
        ['ca.pem', 'ready'],
      ] as const) {
        copyFileSync(certificate(allowed), ca);
        await host.configure({ far: { url: peer.url.href, type: 'http', tls: { ca }, timeout: 10_000 + swapped } });
        const state = await host.registry.start(host.server('far').id, { ask: host.ask, signal: new AbortController().signal });
        assert.equal(state.kind === 'failed' ? failureOf(state).code : state.kind, outcome);
      }
      assert.ok(swapped >= 2);
    } finally {
      await host.close();
    }
  });
});
