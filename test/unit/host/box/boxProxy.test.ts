import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { allowingHost, BoxProxy, isClosedAddress, portsIn } from '../../../../src/host/box/boxProxy.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

describe('The hosts of a box', () => {
  const hosts = ['api.example.com', '*.wild.org', 'odd.example:8443', 'localhost:3000'];
  const by = (host: string, port = 443): string | undefined => allowingHost({ host, port }, hosts);

  it('are met by their exact name, by names below a star, and by their port', () => {
    assert.deepEqual(
      [by('api.example.com'), by('API.EXAMPLE.COM.', 80), by('a.b.wild.org'), by('odd.example', 8443)],
      ['api.example.com', 'api.example.com', '*.wild.org', 'odd.example:8443'],
    );
  });

  it('are not met by what only looks like them, another port, or this machine', () => {
    const others = [by('evil-api.example.com'), by('api.example.com.evil.org'), by('wild.org'), by('api.example.com', 22)];
    assert.deepEqual([...others, by('odd.example'), by('localhost', 3000), by('127.0.0.1', 3000)], Array(7).fill(undefined));
  });

  it('name ports of this machine', () => {
    assert.deepEqual(portsIn([...hosts, '127.0.0.1:5432', 'localhost', 'localhost:99999']), [3000, 5432]);
  });

  it('lead to no address of this machine, of a cloud’s own service or, by a star, of the person’s network', () => {
    const never = ['127.0.0.1', '127.9.9.9', '0.0.0.0', '169.254.169.254', '100.100.100.200', '::1', '::', 'fe80::1', 'fd00:ec2::254'];
    assert.deepEqual(
      [...never, '::ffff:127.0.0.1', '::ffff:169.254.169.254'].filter((address) => !isClosedAddress(address, 'api.example.com')),
      [],
    );
    assert.equal(isClosedAddress('10.1.2.3', 'intern.example.com'), false);
    assert.deepEqual(
      ['10.1.2.3', '192.168.0.1', '172.20.0.1', 'fc00::1'].filter((address) => !isClosedAddress(address, '*')),
      [],
    );
    assert.equal(isClosedAddress('93.184.216.34', '*'), false);
  });
});

describe('The proxy of a box', () => {
  const refused: string[] = [];
  let proxy: BoxProxy;
  let folder: string;
  let port: number;
  const page = createServer((asked, response) => response.end(`${asked.method} ${asked.url} ${asked.headers.host}`));

  before(async () => {
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    port = (page.address() as AddressInfo).port;
    folder = createTemporaryFolder();
    proxy = await BoxProxy.listen({
      folder,
      hosts: ['rebound.example', `localhost:${port}`],
      onRefused: (host) => refused.push(host),
      resolve: () => Promise.resolve(['169.254.169.254', '127.0.0.1']),
    });
  });
  after(() => {
    proxy.close();
    page.close();
  });

  const get = (socketPath: string, url: string, method = 'GET'): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request({ socketPath, path: url, method, agent: false }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (text: string) => (body += text));
        answer.on('end', () => resolve(`${answer.statusCode} ${body.trim()}`));
      });
      asked.on('connect', (answer, socket) => {
        socket.destroy();
        resolve(String(answer.statusCode));
      });
      asked.on('error', reject);
      asked.end();
    });
  const viaProxy = (url: string, method?: string): Promise<string> => get(path.join(folder, 'proxy.sock'), url, method);

  it('refuses a named host whose name leads to this machine or to a cloud’s own service', async () => {
    assert.match(await viaProxy('http://rebound.example/'), /^403 /);
    assert.equal(await viaProxy('rebound.example:443', 'CONNECT'), '403');
  });

  it('tells each refused host once, and none that nobody could allow', async () => {
    refused.length = 0;
    for (const url of ['http://wanted.example/a', 'http://wanted.example/b', 'http://127.0.0.1/', 'http://169.254.169.254/']) {
      assert.match(await viaProxy(url), /^403 /);
    }
    assert.equal(await viaProxy('wanted.example:22', 'CONNECT'), '403');
    assert.equal(await viaProxy('not an address', 'CONNECT').catch(() => '400'), '400');
    assert.match(await viaProxy('/relative'), /^403 /);
    assert.deepEqual(refused, ['wanted.example', 'wanted.example:22']);
  });

  it('leads to a named port of this machine by a socket of its own', async () => {
    assert.equal(await get(path.join(folder, `port-${port}.sock`), '/hello'), '200 GET /hello localhost');
  });

  it('connects to nobody for what was asked before it closed', async () => {
    const outside = createTemporaryFolder();
    const dialled: unknown[] = [];
    const lookups: (() => void)[] = [];
    const closing = await BoxProxy.listen({
      folder: outside,
      hosts: ['open.example'],
      onRefused: () => undefined,
      resolve: () => new Promise((found) => lookups.push(() => found(['203.0.113.7']))),
      dial: (target) => {
        dialled.push(target);
        return connect(port, '127.0.0.1');
      },
    });
    const out = path.join(outside, 'proxy.sock');
    const asked = [get(out, 'http://open.example/x'), get(out, 'open.example:443', 'CONNECT')];
    const answers = Promise.allSettled(asked);
    while (lookups.length < asked.length) {
      await turn();
    }
    closing.close();
    lookups.forEach((found) => found());
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual(dialled, []);
  });

  it('carries what is asked of an allowed host to the very address that was looked at', async () => {
    const outside = createTemporaryFolder();
    const dialled: unknown[] = [];
    const open = await BoxProxy.listen({
      folder: outside,
      hosts: ['open.example'],
      onRefused: () => undefined,
      resolve: () => Promise.resolve(['127.0.0.1', '203.0.113.7']),
      // The address stands for one outside.
      dial: (target) => {
        dialled.push(target);
        return connect(port, '127.0.0.1');
      },
    });
    const out = path.join(outside, 'proxy.sock');
    assert.equal(await get(out, 'http://open.example/x?y'), '200 GET /x?y open.example');
    assert.equal(await get(out, 'open.example:443', 'CONNECT'), '200');
    assert.deepEqual(dialled, [
      { host: '203.0.113.7', port: 80 },
      { host: '203.0.113.7', port: 443 },
    ]);
    open.close();
  });
});
