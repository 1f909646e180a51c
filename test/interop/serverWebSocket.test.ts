import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { WebSocketTransport } from '../../src/host/transports/webSocketTransport.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>;

/** The official client has no WebSocket of its own; the host's carries it. */
describe('the official client over a WebSocket to the embedded server', () => {
  let running: RunningServer;
  let client: Client;
  afterEach(async () => {
    await client.close();
    await running.close();
  });

  const eras: readonly (readonly [version: string, options: Options])[] = [
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ];
  for (const path of ['/ws', '/mcp']) {
    for (const [version, options] of eras) {
      it(`works at ${version} on ${path} (${JSON.stringify(options)})`, async () => {
        running = await runServer();
        const { port, token, editor } = running;
        client = new Client({ name: 'official', version: '2.4.0' }, options);
        const headers = (): Promise<Record<string, string>> => Promise.resolve({ authorization: `Bearer ${token}` });
        await client.connect(new WebSocketTransport({ url: new URL(`ws://127.0.0.1:${port}${path}`), headers, tls: {}, timeoutMs: 5_000 }));
        assert.equal(client.getNegotiatedProtocolVersion(), version);
        assert.ok((await client.listTools()).tools.length > 0);
        const { structuredContent } = await client.callTool({ name: 'list_open_editors', arguments: {} });
        assert.deepEqual(structuredContent, { editors: editor.editors });
        assert.equal((await client.readResource({ uri: 'editor://open' })).contents.length, 1);
        assert.deepEqual(
          running.server.clients.snapshot().map(({ transport }) => transport),
          ['ws'],
        );
      });
    }
  }
});
