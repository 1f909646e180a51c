import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { Boxes } from '../../../../src/host/box/boxes.ts';
import type { ChildSpec } from '../../../../src/host/processes/serverProcess.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { createTestHost, type TestHost } from '../support.ts';
import { FakeProcess } from '../transports/fakeProcess.ts';

const { signal } = new AbortController();

/** Boxes as on macOS, which hold; what they start is a process of the test. */
class TrustedBoxes extends Boxes {
  /** What was made to be started. */
  made: ChildSpec | undefined;
  onMade: () => void = () => undefined;

  override try(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override async start(...given: Parameters<Boxes['start']>): ReturnType<Boxes['start']> {
    const boxed = await super.start(...given);
    this.made = boxed.spec;
    this.onMade();
    return boxed;
  }
}

/** Whether the way out of a box is open. */
async function isOpen(spec: ChildSpec | undefined): Promise<boolean> {
  const socket = connect(Number(new URL(spec?.env['HTTP_PROXY'] ?? '').port), '127.0.0.1');
  const isConnected = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(
    () => false,
  );
  socket.destroy();
  return isConnected;
}

describe('The start of a confined server that is given up', () => {
  let host: TestHost;
  let boxes: TrustedBoxes;
  let child: FakeProcess;
  let started: ChildSpec[];
  let npx: string;

  beforeEach(async () => {
    const folder = createTemporaryFolder();
    npx = path.join(folder, 'npx');
    writeFileSync(npx, '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: path.dirname(process.execPath), HOME: folder };
    const on = { platform: 'darwin', sandboxProgram: process.execPath } as const;
    boxes = new TrustedBoxes({ folder: path.join(folder, 'boxes'), userHome: folder, env, secretPlaces: [], ...on });
    child = new FakeProcess();
    started = [];
    const start = (spec: ChildSpec): FakeProcess => {
      started.push(spec);
      return child;
    };
    host = await createTestHost({ folder, environment: { env }, ports: { boxes }, starter: { start } });
    host.answer = () => ({ choice: 'allow', isConfined: true });
  });
  afterEach(() => host.close());

  it('stops fetching its packages at once, and holds no later change of the definitions up', async () => {
    await host.configure({ one: { command: npx, args: ['-y', 'server@1.0.0'] } });
    const { id } = host.server('one');
    const starting = host.registry.start(id, { ask: host.ask, signal });
    await host.until(() => started.length === 1, 'the fetching');
    assert.equal(await isOpen(started[0]), true);
    const stopping = host.registry.stop(id);
    const changing = host.configure({});
    await host.until(() => child.asked.includes('stop'), 'the end of the fetching');
    child.exit({ kind: 'stopped', lastErrorLines: [] });
    child.end();
    const [state] = await Promise.all([starting, stopping, changing]);
    assert.deepEqual([state, host.registry.servers()], [{ kind: 'stopped', reason: 'byUser' }, []]);
    assert.deepEqual([started.length, boxes.made, await isOpen(started[0])], [1, undefined, false]);
  });

  it('leaves no box behind that was made already', async () => {
    await host.configure({ one: { command: 'node', args: ['server.mjs'] } });
    const { id } = host.server('one');
    const stops: Promise<void>[] = [];
    boxes.onMade = () => void stops.push(host.registry.stop(id));
    const state = await host.registry.start(id, { ask: host.ask, signal });
    await Promise.all(stops);
    assert.deepEqual([state.kind, stops.length, started.length, await isOpen(boxes.made)], ['stopped', 1, 0, false]);
  });
});
