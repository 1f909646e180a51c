import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { WindowConnector } from '../../src/bridge/windowConnector.ts';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import { windowProof, workbenchProof } from '../../src/platform/randomSecrets.ts';
import { WindowProofs } from '../../src/server/wire/http/frontDoor.ts';
import { Workbench } from '../../src/server/seen/workbench.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { discoveryContent } from '../unit/bridge/discoveryContent.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const staleToken = 'the-window-token-of-a-window-that-is-gone';
const clientToken = 'the-client-token-that-every-window-takes';
const nonce = 'a-nonce-of-the-test';

/** A program that got the process number and port of a window that is gone, and writes down all it is sent. */
class Impostor {
  heard = '';
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(answer: (heard: string) => string | Promise<string>) {
    this.#server = createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        this.heard += chunk;
        void Promise.resolve(answer(chunk)).then((text) => socket.write(text));
      });
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#sockets.forEach((socket) => socket.destroy());
    this.#server.close();
  }
}

function refusal(...headers: string[]): string {
  return ['HTTP/1.1 401 Unauthorized', 'Content-Length: 0', ...headers, '', ''].join('\r\n');
}

/** What makes a client take the connection for a WebSocket. */
function acceptanceOf(heard: string): string {
  const key = /sec-websocket-key: (\S+)/i.exec(heard)?.[1] ?? '';
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

function nonceIn(heard: string): string {
  return /duplex-challenge: (\S+)/i.exec(heard)?.[1] ?? '';
}

describe('The bridge proves to whom it speaks', () => {
  let home: string;
  let running: RunningServer;
  let impostor: Impostor | undefined;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex-proof-')));
    await mkdir(path.join(home, 'windows'), { mode: 0o700 });
    running = await runServer();
  });
  afterEach(async () => {
    impostor?.close();
    impostor = undefined;
    await running.close();
    await rm(home, { recursive: true, force: true });
  });

  async function publish(name: string, port: number, different: Partial<DiscoveryFile>): Promise<void> {
    const address = `127.0.0.1:${port}`;
    const urls = { mcp: `http://${address}/mcp`, sse: `http://${address}/sse`, ws: `ws://${address}/ws` };
    const content = discoveryContent({ name, pid: process.pid, port, urls, ...different });
    await writeFile(path.join(home, 'windows', `${name}.json`), JSON.stringify(content), { mode: 0o600 });
  }

  async function bridge(own: string | undefined): Promise<string> {
    const connector = new WindowConnector({
      home,
      surroundings: { machine: 'here', uid: process.getuid?.(), isAlive: () => true },
      criteria: { cwd: '/projects/app' },
      clientToken: own,
      certificate: undefined,
      timeoutMs: 1_000,
      reconnectGraceMs: 0,
      twinGraceMs: 0,
      silenceCheckMs: 0,
    });
    const result = await connector.connect();
    if (result.kind === 'connected') {
      result.link.close();
      return 'connected';
    }
    return result.reason;
  }

  function ask(
    headers: Record<string, string>,
    place = '/ws',
    answered = 'duplex-proof',
  ): Promise<{ status: number | undefined; proof: unknown }> {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'a'.repeat(24) };
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: running.port, path: place, headers: { ...upgrade, ...headers } });
      asked.on('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode, proof: response.headers[answered] });
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  const answers: Readonly<Record<string, (heard: string) => string | Promise<string>>> = {
    'refuses without a proof': () => refusal(),
    'refuses with a made-up proof': (heard) => refusal(`Duplex-Proof: ${windowProof('guessed', nonceIn(heard), 1)}`),
    'sends the challenge back': (heard) => refusal(`Duplex-Proof: ${nonceIn(heard)}`),
    'passes the challenge on to a living window': async (heard) =>
      refusal(`Duplex-Proof: ${String((await ask({ 'duplex-challenge': nonceIn(heard) })).proof)}`),
    'lets everybody in': (heard) =>
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Accept: ${acceptanceOf(heard)}\r\n\r\n`,
    'sends it elsewhere': () => 'HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/ws\r\nContent-Length: 0\r\n\r\n',
    'asks for a password': () => 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
    'never answers': () => '',
  };
  for (const [what, answer] of Object.entries(answers)) {
    it(`gets no token to a program that took a window's process number and port and ${what}`, async () => {
      impostor = new Impostor(answer);
      await publish('stale', await impostor.listen(), { token: staleToken });
      for (const own of [clientToken, undefined]) {
        assert.notEqual(await bridge(own), 'connected');
      }
      assert.deepEqual([impostor.connections, impostor.heard.match(/^duplex-challenge: /gim)?.length], [2, 2]);
      assert.doesNotMatch(impostor.heard, /the-(?:window|client)-token|authorization/i);
    });
  }

  it('takes an empty token, which anybody knows, for no proof', async () => {
    let port = 0;
    impostor = new Impostor((heard) => refusal(`Duplex-Proof: ${windowProof('', nonceIn(heard), port)}`));
    port = await impostor.listen();
    await publish('stale', port, { token: '' });
    assert.match(await bridge(clientToken), /stale\.json: who listens at its address did not prove to be its window/);
    assert.doesNotMatch(impostor.heard, /the-client-token/);
  });

  it('leaves an impostor for the window that proves itself, even where the impostor fits better', async () => {
    impostor = new Impostor(() => refusal());
    const workspaceFolders = [{ name: 'app', path: '/projects/app', uri: 'file:///projects/app' }];
    await publish('stale', await impostor.listen(), { token: staleToken, workspaceFolders });
    await publish('living', running.port, { token: running.token });
    assert.equal(await bridge(undefined), 'connected');
    assert.doesNotMatch(impostor.heard, /the-(?:window|client)-token|authorization/i);
  });

  it('is answered on an upgrade of /ws without a credential, and nowhere else', async () => {
    const challenge = { 'duplex-challenge': nonce };
    assert.deepEqual(await ask(challenge), { status: 401, proof: windowProof(running.token, nonce, running.port) });
    const nothing = { status: 401, proof: undefined };
    assert.deepEqual(await ask({}), nothing);
    assert.deepEqual(await ask(challenge, '/mcp'), nothing);
    assert.deepEqual(await ask({ ...challenge, authorization: 'Bearer wrong' }), nothing);
    assert.deepEqual(await ask({ ...challenge, upgrade: 'h2c' }), nothing);
    assert.deepEqual(await ask({ ...challenge, origin: 'https://evil.example' }), { status: 403, proof: undefined });
    assert.deepEqual(await ask({ ...challenge, host: 'evil.example' }), { status: 403, proof: undefined });
  });

  it('is answered for challenges of a bounded size only, and so many in a second', async () => {
    for (const wrong of ['short', 'x'.repeat(129), `${nonce} and more`, `${nonce},${nonce}`]) {
      assert.deepEqual(await ask({ 'duplex-challenge': wrong }), { status: 401, proof: undefined });
    }
    const clock = new FakeClock();
    const workbench = new Workbench({ ping: () => Promise.resolve() }, clock);
    const proofs = new WindowProofs({ token: () => running.token, workbench, clock });
    const status = async (): Promise<number> => (await proofs.answer(nonce, running.port, { status: 401, challenge: 'Bearer' })).status;
    const statuses = await Promise.all(Array.from({ length: 1_001 }, status));
    assert.deepEqual([...new Set(statuses.slice(0, -1)), statuses.at(-1)], [401, 429]);
    clock.advance(1_000);
    assert.equal(await status(), 401);
  });

  it('says whether the window’s page answers, to those alone who know its token', async () => {
    const said = async (): Promise<unknown> => (await ask({ 'duplex-challenge': nonce }, '/ws', 'duplex-workbench')).proof;
    assert.equal(await said(), workbenchProof(running.token, nonce, running.port, 'answers'));
    assert.equal((await ask({}, '/ws', 'duplex-workbench')).proof, undefined);
    await running.close();
    let pings = 0;
    running = await runServer({
      workbench: {
        ping: () => {
          pings += 1;
          return new Promise(() => undefined);
        },
      },
    });
    const all = await Promise.all(Array.from({ length: 50 }, said));
    assert.deepEqual([...new Set(all)], [workbenchProof(running.token, nonce, running.port, 'silent')]);
    assert.equal(pings, 1, 'strangers cannot use it to load the editor');
  });

  it('follows a rotated token', async () => {
    await running.server.rotateWindowToken();
    const { proof } = await ask({ 'duplex-challenge': nonce });
    assert.equal(proof, windowProof(running.server.windowToken ?? '', nonce, running.port));
    assert.notEqual(proof, windowProof(running.token, nonce, running.port));
  });
});
