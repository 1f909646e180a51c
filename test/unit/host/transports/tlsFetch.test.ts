import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { Cleanup, connectTo, listenOn, streamable, type HttpPeer } from '../remoteSupport.ts';
import { failureOf } from '../support.ts';

const file = (name: string): string => path.join(import.meta.dirname, 'certificates', name);
const pem = (name: string): string => readFileSync(file(name), 'utf8');
const tls = { ca: pem('ca.pem'), cert: pem('client.pem'), key: pem('client.key.pem') };

describe('A server that wants a client certificate', () => {
  const cleanup = new Cleanup();
  const names: string[] = [];
  let peer: HttpPeer;
  beforeEach(async () => {
    names.length = 0;
    const options = { ca: pem('ca.pem'), cert: pem('server.pem'), key: pem('server.key.pem'), requestCert: true, rejectUnauthorized: true };
    const answer = streamable();
    const server = createServer(options, (request, response) => {
      names.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      answer(request, response);
    });
    peer = cleanup.add(await listenOn(server, [], 'https://127.0.0.1', '/mcp'));
  });
  afterEach(() => cleanup.run());

  it('gets the configured one and is ready', async () => {
    const host = cleanup.add(connectTo(peer.url, { tls }));
    assert.equal((await host.start()).kind, 'ready');
    assert.deepEqual((await host.call({ f: 6 })).content, [{ type: 'text', text: '{"f":6}' }]);
    assert.deepEqual([...new Set(names)], ['Duplex test client']);
  });

  it('is unreachable without one', async () => {
    const state = await cleanup.add(connectTo(peer.url, { tls: { ca: tls.ca } })).start();
    assert.equal(state.kind, 'failed');
    assert.deepEqual(names, []);
  });

  it('is not trusted when its authority is not known', async () => {
    const state = await cleanup.add(connectTo(peer.url)).start();
    assert.equal(failureOf(state).code, 'host.certificate');
  });
});
