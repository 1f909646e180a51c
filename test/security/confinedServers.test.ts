import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/base/json.ts';
import { Boxes } from '../../src/host/box/boxes.ts';
import { boxedCommand } from '../../src/host/box/bubblewrap.ts';
import { hasBoxPrograms } from '../support/run/boxPrograms.mjs';
import { runProcess } from '../support/run/runProcess.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

/** A home with secrets in it, a workspace and another project, and a machine that listens. */
interface Person {
  readonly home: string;
  readonly workspace: string;
  readonly boxFolder: string;
  readonly port: number;
  readonly docker: string;
  close(): void;
}

async function createPerson(): Promise<Person> {
  const home = createTemporaryFolder();
  const workspace = path.join(home, 'code/open');
  const boxFolder = path.join(home, '.config/Code/boxes');
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
  };
  put('.ssh/id_ed25519', 'private key');
  put('.duplex/windows/1.json', 'window token');
  put('.config/Code/User/state', 'data of VS Code');
  put('code/other/secret.txt', 'another project');
  put('code/open/readme.txt', 'open project');
  put('code/open/server.mjs', readFileSync(path.join(repositoryRoot, 'test/fixtures/servers/reachingServer.mjs'), 'utf8'));
  const docker = path.join(home, 'docker.sock');
  const servers: Server[] = [
    createHttpServer((_request, response) => response.end('the listener of Duplex')),
    createServer((socket) => socket.end()),
  ];
  await Promise.all([
    new Promise<void>((resolve) => servers[0]?.listen(0, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => servers[1]?.listen(docker, resolve)),
  ]);
  const { port } = servers[0]?.address() as AddressInfo;
  return { home, workspace, boxFolder, port, docker, close: () => servers.forEach((server) => server.close()) };
}

describe('A confined server', function () {
  this.timeout(20_000);
  let person: Person;
  let host: TestHost;

  before(async function () {
    if (!(await hasBoxPrograms())) {
      this.skip();
    }
  });
  beforeEach(async () => {
    person = await createPerson();
    const { home, workspace, boxFolder } = person;
    const env = { PATH: path.dirname(process.execPath), HOME: home };
    const boxes = new Boxes({ folder: boxFolder, userHome: home, env, platform: process.platform, secretPlaces: [] });
    host = await createTestHost({ folder: workspace, environment: { env, userHome: home }, ports: { boxes } });
  });
  afterEach(async () => {
    await host.close();
    person.close();
  });

  async function start(isConfined: boolean, more: object = {}): Promise<void> {
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? { choice: 'allow', isConfined } : 'allowSession');
    await host.configure({ hostile: { command: 'node', args: ['server.mjs'], ...more } });
    const state = await host.registry.start(host.server('hostile').id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify([state, host.logged]));
  }
  const call = async (tool: string, args: JsonObject = {}): Promise<string> =>
    textOf(await host.call(tool, args, { serverId: host.server('hostile').id }));

  /** Whether a server changes a file of this machine: what it writes into its own memory is nobody's file. */
  async function changed(file: string): Promise<string> {
    rmSync(file, { force: true });
    await call('write', { path: file });
    return existsSync(file) ? 'changed' : 'unchanged';
  }

  /** What a server can get of the person's machine. */
  async function reach(): Promise<Record<string, string>> {
    const { home, port, docker } = person;
    return {
      ssh: await call('read', { path: path.join(home, '.ssh/id_ed25519') }),
      otherProject: await call('read', { path: path.join(home, 'code/other/secret.txt') }),
      duplexHome: await call('read', { path: path.join(home, '.duplex/windows/1.json') }),
      editorData: await call('read', { path: path.join(home, '.config/Code/User/state') }),
      workspace: await call('read', { path: path.join(home, 'code/open/readme.txt') }),
      changedWorkspace: await call('write', { path: path.join(home, 'code/open/new.txt') }),
      changedHome: await changed(path.join(home, 'new.txt')),
      listener: await call('connect', { host: '127.0.0.1', port }),
      docker: await call('connect', { path: docker }),
    };
  }

  it('reaches the workspace and nothing else of the person, where it would reach everything', async () => {
    await start(false);
    assert.deepEqual(await reach(), {
      ssh: 'reached private key',
      otherProject: 'reached another project',
      duplexHome: 'reached window token',
      editorData: 'reached data of VS Code',
      workspace: 'reached open project',
      changedWorkspace: 'reached it',
      changedHome: 'changed',
      listener: 'reached it',
      docker: 'reached it',
    });
    await host.registry.stop(host.server('hostile').id);
    await host.ledger.revoke(...host.ledger.answers().map(({ id }) => id));
    await start(true);
    assert.deepEqual(await reach(), {
      ssh: 'refused ENOENT',
      otherProject: 'refused ENOENT',
      duplexHome: 'refused ENOENT',
      editorData: 'refused ENOENT',
      workspace: 'reached open project',
      changedWorkspace: 'refused EROFS',
      changedHome: 'unchanged',
      listener: 'refused ECONNREFUSED',
      docker: 'refused ENOENT',
    });
  });

  it('reaches no address of a cloud, no host that was not named, and this machine by no name', async () => {
    await start(true, {});
    assert.equal(await call('connect', { host: '169.254.169.254', port: 80 }), 'refused ENETUNREACH');
    const pages = ['http://169.254.169.254/latest/meta-data/', 'http://example.com/', `http://localhost:${person.port}/`];
    for (const url of pages) {
      assert.match(await call('fetch', { url }), /^403 /, url);
    }
    assert.equal(await call('tunnel', { target: 'example.com:443' }), '403');
    assert.equal(await call('tunnel', { target: `127.0.0.1:${person.port}` }), '403');
  });

  it('leaves no child behind that left its group and ignores signals', async () => {
    await start(true);
    assert.equal(await call('daemon', { path: '/box/alive' }), 'reached it');
    const [folder] = await import('node:fs/promises').then(({ readdir }) => readdir(person.boxFolder));
    const alive = path.join(person.boxFolder, folder ?? '', 'alive');
    await host.until(() => existsSync(alive), 'the first sign of life');
    await host.registry.stop(host.server('hostile').id);
    const last = statSync(alive).mtimeMs;
    await sleep(200);
    assert.equal(statSync(alive).mtimeMs, last);
  });

  it('sees no process but its own, no variable of the editor, and a home of its own', async () => {
    await start(true, { env: { ASKED_FOR: 'yes' } });
    assert.ok((await call('processes')).split(' ').length < 8);
    const env = JSON.parse(await call('environment')) as Record<string, string>;
    assert.deepEqual(
      { home: env['HOME'], cwd: env['cwd'], asked: env['ASKED_FOR'] },
      { home: '/box', cwd: person.workspace, asked: 'yes' },
    );
    assert.equal(await call('write', { path: '/box/note.txt' }), 'reached it');
    assert.match(await call('list', { path: '/' }), /^reached bin box dev etc /);
    assert.equal(await call('write', { path: '/note.txt' }), 'refused EROFS');
  });

  it('cannot have code of its own run before it is confined', async () => {
    const file = path.join(person.home, 'code/open/evil.so');
    writeFileSync(file, 'no library at all');
    await start(true, { env: { LD_PRELOAD: file, LD_DEBUG: 'all', LD_DEBUG_OUTPUT: path.join(person.home, 'loaded') } });
    const left = await import('node:fs/promises').then(({ readdir }) => readdir(person.home));
    assert.deepEqual(
      left.filter((name) => name.startsWith('loaded')),
      [],
    );
  });

  it('of a repository gets no wider box than others, whatever its definition asks for', async () => {
    const { home } = person;
    await start(true, { sandbox: { read: [home], write: [path.join(home, 'code')], network: ['*'] } });
    const [question] = host.asked;
    assert.ok(question?.detail.kind === 'startServer');
    assert.deepEqual(question.detail.box?.notApplied, [`read: ${home}`, `write: ${path.join(home, 'code')}`, 'network: *']);
    assert.equal(await call('read', { path: path.join(home, 'code/other/secret.txt') }), 'refused ENOENT');
    assert.equal(await call('write', { path: path.join(home, 'code/open/new.txt') }), 'refused EROFS');
    assert.match(await call('fetch', { url: 'http://example.com/' }), /^403 /);
  });

  it('is confined again at every start, and asks for its tools as any other', async () => {
    await start(true);
    await host.registry.stop(host.server('hostile').id);
    host.asked.length = 0;
    await host.registry.start(host.server('hostile').id, { signal: new AbortController().signal });
    assert.equal(await call('read', { path: path.join(person.home, '.ssh/id_ed25519') }), 'refused ENOENT');
    assert.deepEqual(
      host.asked.map(({ detail }) => detail.kind),
      ['callTool'],
    );
  });

  it('reaches a host that it wanted once the person allows that in the question of its start, and not before', async () => {
    await start(true);
    const { id } = host.server('hostile');
    const url = 'http://wanted.invalid/';
    assert.match(await call('fetch', { url }), /^403 /);
    await host.until(() => host.server('hostile').box?.wanted.includes('wanted.invalid') === true, 'the host beside the server');
    const signal = new AbortController().signal;

    host.asked.length = 0;
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'deny' : 'allowSession');
    assert.equal((await host.registry.allowHost(id, 'wanted.invalid', { ask: host.ask, signal })).kind, 'ready');
    assert.match(await call('fetch', { url }), /^403 /);

    host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowSession');
    assert.equal((await host.registry.allowHost(id, 'wanted.invalid', { ask: host.ask, signal })).kind, 'ready');
    const questions = host.asked.filter(({ detail }) => detail.kind === 'startServer');
    assert.deepEqual(
      questions.map(({ why, differences }) => ({ why, differences })),
      Array(2).fill({ why: 'changed', differences: [{ field: 'confined.network', before: '[]', after: '["wanted.invalid"]' }] }),
    );
    // Nobody knows this name, so the way ends one step later.
    assert.match(await call('fetch', { url }), /^502 /);
    await host.registry.stop(id);
    assert.equal((await host.registry.start(id, { signal })).kind, 'ready');
    assert.deepEqual(host.server('hostile').box?.hosts, ['wanted.invalid']);
  });

  it('finds its way out open from its first act on, however late that opens', async () => {
    const slow = path.join(person.home, 'slow');
    writeFileSync(slow, '#!/bin/sh\n/bin/sleep 0.7\nexec /usr/bin/socat "$@"\n', { mode: 0o755 });
    const act = `require('node:net').connect(3128, '127.0.0.1', () => { console.log('open'); process.exit() }).on('error', console.log)`;
    const folders = { scratch: person.home, sockets: person.home, cwd: '/' };
    const run = { ...folders, mounts: [], ports: [9], socat: slow, command: process.execPath, args: ['-e', act], env: {} };
    const box = ['--unshare-net', '--die-with-parent', '--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc'];
    const options = { output: 'capture', env: { PATH: '' }, timeoutMilliseconds: 15_000 } as const;
    const { output } = await runProcess('/usr/bin/bwrap', [...box, ...boxedCommand(run)], options);
    assert.equal(output, 'open\n');
  });

  it('does not start at all where the programs for its box are gone, and is asked about anew', async () => {
    await start(true);
    const { id } = host.server('hostile');
    await host.registry.stop(id);
    const { home, workspace, boxFolder } = person;
    const env = { PATH: path.dirname(process.execPath), HOME: home, DUPLEX_BUBBLEWRAP: '/none' };
    const boxes = new Boxes({ folder: boxFolder, userHome: home, env, platform: process.platform, secretPlaces: [] });
    const offer = await createTestHost({ folder: workspace, environment: { env, userHome: home }, ports: { boxes } });
    for (const answer of host.ledger.answers()) {
      await offer.ledger.remember({ ...answer }, 'allow', 'always');
    }
    await offer.configure({ hostile: { command: 'node', args: ['server.mjs'] } });
    const state = await offer.registry.start(id, { signal: new AbortController().signal });
    assert.deepEqual(state, { kind: 'stopped', reason: 'needsConsent' });
    offer.answer = () => 'deny';
    await offer.registry.start(id, { ask: offer.ask, signal: new AbortController().signal });
    const [question] = offer.asked;
    assert.ok(question?.detail.kind === 'startServer');
    assert.deepEqual(question.detail.box?.obstacle, { kind: 'missing', program: 'bubblewrap' });
    await offer.close();
  });
});
