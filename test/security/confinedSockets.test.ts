import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { readDefinitions } from '../../src/definitions/readDefinitions.ts';
import { Boxes } from '../../src/host/box/boxes.ts';
import { hasBoxPrograms } from '../support/run/boxPrograms.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

type Sockets = Readonly<Record<string, string>>;

/** A person at whose machine the usual programs listen on sockets: real ones, at the places where these programs have them. */
class Person {
  readonly home = createTemporaryFolder();
  readonly workspace = path.join(this.home, 'code/open');
  readonly runtime = path.join(this.home, 'runtime');
  readonly #passing = mkdtempSync('/tmp/ssh-');
  readonly #editor = `/tmp/vscode-ipc-${randomBytes(8).toString('hex')}.sock`;
  readonly #servers: Server[] = [];
  readonly sockets: Sockets = {
    agent: path.join(this.#passing, 'agent.4711'),
    keyring: path.join(this.runtime, 'keyring/ssh'),
    bus: path.join(this.runtime, 'bus'),
    namelessBus: `\0/tmp/dbus-${randomBytes(8).toString('hex')}`,
    editor: this.#editor,
    editorAtRuntime: path.join(this.runtime, 'vscode-ipc-1.sock'),
    editorMain: path.join(this.home, '.config/Code/1.96-main.sock'),
    docker: path.join(this.runtime, 'docker.sock'),
    dockerOfPerson: path.join(this.home, '.docker/run/docker.sock'),
  };

  /** The variables of the editor, which lead to most of them. */
  get env(): Readonly<Record<string, string>> {
    const { agent = '', bus = '', editor = '', docker = '' } = this.sockets;
    return {
      PATH: path.dirname(process.execPath),
      HOME: this.home,
      XDG_RUNTIME_DIR: this.runtime,
      SSH_AUTH_SOCK: agent,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus},guid=1234`,
      VSCODE_IPC_HOOK_CLI: editor,
      DOCKER_HOST: `unix://${docker}`,
    };
  }

  async listen(...places: readonly string[]): Promise<void> {
    for (const place of places) {
      if (!place.startsWith('\0')) {
        mkdirSync(path.dirname(place), { recursive: true });
      }
      const server = createServer((socket) => socket.end());
      this.#servers.push(server);
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(place, resolve));
    }
  }

  close(): void {
    this.#servers.forEach((server) => server.close());
    rmSync(this.#passing, { recursive: true, force: true });
    rmSync(this.#editor, { force: true });
  }
}

describe('A confined server and the sockets of this machine', function () {
  this.timeout(20_000);
  let person: Person;
  let host: TestHost;

  before(async function () {
    if (!(await hasBoxPrograms())) {
      this.skip();
    }
  });
  beforeEach(async () => {
    person = new Person();
    const { home, workspace, env, sockets } = person;
    await person.listen(...Object.values(sockets));
    mkdirSync(workspace, { recursive: true });
    const fixture = path.join(repositoryRoot, 'test/fixtures/servers/reachingServer.mjs');
    writeFileSync(path.join(workspace, 'server.mjs'), readFileSync(fixture, 'utf8'));
    const boxes = new Boxes({ folder: path.join(home, 'boxes'), userHome: home, env, platform: process.platform, secretPlaces: [] });
    host = await createTestHost({ folder: workspace, environment: { env, userHome: home }, ports: { boxes } });
  });
  afterEach(async () => {
    await host.close();
    person.close();
  });

  async function start(isConfined: boolean, sandbox: object | true = true): Promise<void> {
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? { choice: 'allow', isConfined } : 'allowSession');
    const value = { hostile: { command: 'node', args: [path.join(person.workspace, 'server.mjs')], sandbox } };
    await host.registry.apply(readDefinitions([{ scope: 'user', value, location: 'user settings' }]));
    const state = await host.registry.start(host.server('hostile').id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify([state, host.logged]));
    assert.equal(host.server('hostile').box !== undefined, isConfined);
  }
  async function reach(sockets: Sockets): Promise<Sockets> {
    const reached: Record<string, string> = {};
    for (const [name, place] of Object.entries(sockets)) {
      reached[name] = textOf(await host.call('connect', { path: place }, { serverId: host.server('hostile').id }));
    }
    return reached;
  }
  async function restart(isConfined: boolean, sandbox: object | true = true): Promise<void> {
    await host.registry.stop(host.server('hostile').id);
    await host.ledger.revoke(...host.ledger.answers().map(({ id }) => id));
    await start(isConfined, sandbox);
  }
  const every = (sockets: Sockets, answer: string): Sockets => Object.fromEntries(Object.keys(sockets).map((name) => [name, answer]));

  it('reaches none of ssh-agent, D-Bus, VS Code and docker, where it would reach each', async () => {
    await start(false);
    assert.deepEqual(await reach(person.sockets), every(person.sockets, 'reached it'));
    await restart(true);
    assert.deepEqual(await reach(person.sockets), {
      ...every(person.sockets, 'refused ENOENT'),
      // It has no path. The box has a network of its own, in which nobody listens there.
      namelessBus: 'refused ECONNREFUSED',
    });
  });

  it('reaches none in the workspace that it reads, nor in folders that the person lets it read and change', async () => {
    const { home, workspace } = person;
    const sockets = {
      workspace: path.join(workspace, '.cache/agent.sock'),
      spaces: path.join(workspace, 'two words/a socket'),
      changed: path.join(home, 'tools/bus'),
      linked: path.join(home, 'link/bus'),
    };
    symlinkSync(path.join(home, 'tools'), path.join(home, 'link'));
    await person.listen(sockets.workspace, sockets.spaces, sockets.changed);
    const sandbox = { read: [path.join(home, 'link')], write: [path.join(home, 'tools')] };
    await start(false);
    assert.deepEqual(await reach(sockets), every(sockets, 'reached it'));
    await restart(true, sandbox);
    assert.deepEqual(await reach(sockets), every(sockets, 'refused ECONNREFUSED'));
  });

  it('reaches none below a home that it may read as a whole, nor those that come there later', async () => {
    const { home, runtime, sockets } = person;
    await start(true, { read: [home] });
    const later = { nextEditor: path.join(runtime, 'vscode-ipc-2.sock'), other: path.join(home, 'later.sock') };
    await person.listen(...Object.values(later));
    const reached = await reach({ ...sockets, ...later });
    assert.deepEqual(
      Object.entries(reached).filter(([, answer]) => !answer.startsWith('refused')),
      // It came later to a folder that the person opened, and not where programs put such sockets: recipes.md says so.
      [['other', 'reached it']],
    );
  });

  it('reaches no socket that the editor itself is told of, even where a definition names it, and another only then', async () => {
    const { home, sockets } = person;
    const { agent = '', bus = '', editor = '', docker = '' } = sockets;
    const database = path.join(home, 'data/database.sock');
    await person.listen(database);
    const named = { agent, bus, editor, docker };
    await start(true, { read: Object.values(named), write: [path.dirname(agent), database] });
    assert.deepEqual(await reach({ ...named, database }), {
      agent: 'refused ECONNREFUSED',
      bus: 'refused ENOENT',
      editor: 'refused ENOENT',
      docker: 'refused ENOENT',
      database: 'reached it',
    });
    await restart(true);
    assert.deepEqual(await reach({ database }), { database: 'refused ENOENT' });
  });
});
