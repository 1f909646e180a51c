import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { WebSocket } from 'ws';
import { silentLog } from '../../../../../src/base/log.ts';
import type { DiscoveryFile } from '../../../../../src/contract/bridgeFiles.ts';
import { createEmbeddedServer } from '../../../../../src/server/embeddedServer.ts';
import { readTlsMaterial, type TlsReading } from '../../../../../src/server/wire/http/tlsMaterial.ts';
import { FakeApproval, FakeEditor } from '../../support/fakePorts.ts';
import { initializeParams, jsonHeaders } from '../../support/httpPeer.ts';
import { runServer, type RunningServer } from '../../support/runningServer.ts';
import { readSetting } from '../../../../../src/contract/settings/readSetting.ts';

const folder = resolve(import.meta.dirname, '../../../host/transports/certificates');
const files = {
  ca: join(folder, 'ca.pem'),
  cert: join(folder, 'server.pem'),
  key: join(folder, 'server.key.pem'),
  clientCert: join(folder, 'client.pem'),
  clientKey: join(folder, 'client.key.pem'),
};

const tlsOf = (setting: unknown): TlsReading => readSetting('duplex.server.tls', setting);

function send(
  options: RequestOptions,
  body?: string,
): Promise<{ readonly status: number; readonly challenge: string | undefined; readonly text: string }> {
  return new Promise((done, fail) => {
    const outgoing = request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode ?? 0, challenge: response.headers['www-authenticate'], text }));
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

describe('the embedded server over TLS', () => {
  let running: RunningServer;
  let ca: Buffer;
  before(async () => {
    ca = await readFile(files.ca);
  });
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') });
  const authorized = (): Record<string, string> => ({ ...jsonHeaders, authorization: `Bearer ${running.token}` });

  describe('with a certificate', () => {
    before(async () => {
      running = await runServer({ tls: { cert: files.cert, key: files.key } });
    });
    after(() => running.close());

    it('answers https and wss, and says so in its addresses and its discovery file', async () => {
      const { port } = running;
      const answer = await send({ port, ca, method: 'POST', path: '/mcp', headers: authorized() }, initialize);
      assert.equal(answer.status, 200);
      const { state } = running.server;
      assert.deepEqual(state.kind === 'listening' && state.urls, {
        mcp: `https://127.0.0.1:${port}/mcp`,
        sse: `https://127.0.0.1:${port}/sse`,
        ws: `wss://127.0.0.1:${port}/ws`,
      });
      const [name = ''] = await readdir(join(running.home, 'windows'));
      const discovery = JSON.parse(await readFile(join(running.home, 'windows', name), 'utf8')) as DiscoveryFile;
      const fingerprint = new X509Certificate(await readFile(files.cert)).fingerprint256.replaceAll(':', '').toLowerCase();
      assert.deepEqual([discovery.certificateSha256, discovery.urls.ws], [fingerprint, `wss://127.0.0.1:${port}/ws`]);
      const opened = await new Promise<boolean>((done, fail) => {
        const socket = new WebSocket(`wss://127.0.0.1:${port}/ws`, { ca, headers: { authorization: `Bearer ${running.token}` } });
        socket.on('open', () => {
          socket.close();
          done(true);
        });
        socket.on('error', fail);
      });
      assert.equal(opened, true);
    });

    it('points a stranger at https, and offers the sign-in there', async () => {
      const { port } = running;
      const refusal = await send({ port, ca, method: 'POST', path: '/mcp', headers: jsonHeaders }, initialize);
      assert.deepEqual(
        [refusal.status, refusal.challenge],
        [401, `Bearer resource_metadata="https://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp"`],
      );
      const metadata = await send({ port, ca, method: 'GET', path: '/.well-known/oauth-authorization-server' });
      assert.equal((JSON.parse(metadata.text) as { issuer: string }).issuer, `https://127.0.0.1:${port}`);
    });

    it('gives nothing to whoever speaks plain HTTP', async () => {
      const failure = await new Promise<unknown>((done) => {
        const outgoing = plainRequest({ host: '127.0.0.1', port: running.port, path: '/mcp', headers: authorized() }, (response) => {
          response.resume();
          done(response.statusCode);
        });
        outgoing.on('error', () => done('refused'));
        outgoing.end();
      });
      assert.equal(failure, 'refused');
    });
  });

  describe('with an authority for clients', () => {
    before(async () => {
      running = await runServer({ tls: { cert: files.cert, key: files.key, ca: files.ca } });
    });
    after(() => running.close());

    it('wants a client certificate and a token', async () => {
      const { port } = running;
      const post = { port, ca, method: 'POST', path: '/mcp' };
      await assert.rejects(send({ ...post, headers: authorized() }, initialize));
      const [cert, key] = await Promise.all([readFile(files.clientCert), readFile(files.clientKey)]);
      const refusal = await send({ ...post, cert, key, headers: jsonHeaders }, initialize);
      assert.deepEqual([refusal.status, refusal.challenge], [401, 'Bearer']);
      assert.equal((await send({ ...post, cert, key, headers: authorized() }, initialize)).status, 200);
    });

    it('offers no sign-in', async () => {
      const [cert, key] = await Promise.all([readFile(files.clientCert), readFile(files.clientKey)]);
      for (const path of [
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-authorization-server',
        '/register',
        '/authorize',
        '/token',
      ]) {
        const { status } = await send({ port: running.port, ca, cert, key, method: 'GET', path });
        assert.deepEqual([path, status], [path, 404]);
      }
    });
  });

  it('stops in time although somebody never shakes hands', async () => {
    const silent = await runServer({ tls: { cert: files.cert, key: files.key } });
    const socket = connect(silent.port, '127.0.0.1');
    await new Promise<void>((done) => socket.once('connect', () => done()));
    socket.on('error', () => undefined);
    const began = performance.now();
    await silent.close();
    assert.ok(performance.now() - began < 10_000);
    socket.destroy();
  });
});

describe('duplex.server.tls', () => {
  let temporary: string;
  let damaged: string;
  let otherKey: string;
  before(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'duplex-tls-'));
    damaged = join(temporary, 'damaged.pem');
    otherKey = join(temporary, 'other.key.pem');
    await writeFile(damaged, '-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(otherKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  });
  after(() => rm(temporary, { recursive: true, force: true }));

  const wrong: readonly (readonly [what: string, setting: () => unknown, code: string, message: RegExp])[] = [
    ['a text', () => 'yes', 'server.tls.malformed', /duplex\.server\.tls must be an object/],
    ['null', () => null, 'server.tls.malformed', /duplex\.server\.tls must be an object/],
    ['a list', () => [files.cert, files.key], 'server.tls.malformed', /duplex\.server\.tls must be an object/],
    ['a relative path', () => ({ cert: 'server.pem', key: files.key }), 'server.tls.notAbsolute', /"cert" .* not an absolute path/],
    ['a path that is no text', () => ({ cert: 3, key: files.key }), 'server.tls.malformed', /"cert" in duplex\.server\.tls must be a text/],
    [
      'a certificate without its key',
      () => ({ cert: files.cert, key: '' }),
      'server.tls.malformed',
      /"key" in duplex\.server\.tls is missing/,
    ],
    ['only an authority', () => ({ ca: files.ca }), 'server.tls.malformed', /"cert" in duplex\.server\.tls is missing/],
    [
      'only an unknown entry',
      () => ({ certificate: files.cert }),
      'server.tls.malformed',
      /"certificate" in duplex\.server\.tls is not known/,
    ],
    [
      'an unknown entry',
      () => ({ cert: files.cert, key: files.key, passphrase: 'x' }),
      'server.tls.malformed',
      /"passphrase" .* is not known/,
    ],
    [
      'a file that is not there',
      () => ({ cert: join(temporary, 'no.pem'), key: files.key }),
      'server.tls.missing',
      /"cert" .*no\.pem does not exist/,
    ],
    ['a folder', () => ({ cert: temporary, key: files.key }), 'server.tls.unreadable', /"cert" .* cannot be read/],
    ['a damaged certificate', () => ({ cert: damaged, key: files.key }), 'server.tls.noCertificate', /"cert" .* holds no certificate/],
    [
      'a damaged authority',
      () => ({ cert: files.cert, key: files.key, ca: damaged }),
      'server.tls.noCertificate',
      /"ca" .* holds no certificate/,
    ],
    ['a certificate as key', () => ({ cert: files.cert, key: files.cert }), 'server.tls.noKey', /"key" .* holds no private key/],
    ['the key of another certificate', () => ({ cert: files.cert, key: otherKey }), 'server.tls.otherKey', /"key" .* does not belong/],
  ];
  for (const [name, setting, code, message] of wrong) {
    it(`${name} keeps the server from starting, and says why`, async () => {
      const home = join(temporary, 'home');
      const options = {
        log: silentLog,
        version: '1',
        windowName: 'demo',
        duplexHome: home,
        editor: new FakeEditor(),
        approval: new FakeApproval(),
      };
      const server = createEmbeddedServer(options);
      const state = await server.start({ tls: tlsOf(setting()) });
      server.dispose();
      assert.ok(state.kind === 'failed');
      assert.match(state.error.message, message);
      assert.deepEqual([state.error.code, server.windowToken, existsSync(home)], [code, undefined, false]);
    });
  }

  it('an expired certificate is refused', async () => {
    await assert.rejects(
      readTlsMaterial(tlsOf({ cert: files.cert, key: files.key }), Date.parse('2200-01-01')),
      /"cert" .* has expired on \d{4}-\d{2}-\d{2}\./,
    );
  });

  it('nothing configured means plain HTTP', async () => {
    for (const setting of [undefined, tlsOf(undefined), tlsOf({}), tlsOf({ cert: '', key: '', ca: '' })]) {
      assert.equal(await readTlsMaterial(setting), undefined);
    }
  });
});
