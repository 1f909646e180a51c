import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { StopReason } from '../../../src/host/shared/serverState.ts';
import { reconnectPolicy } from '../../../src/host/managedServer.ts';
import { commandsOf, runBesideModel, type Pair } from '../../support/besideModel.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { createTestHost, type TestHost } from './support.ts';
import { FakeProcess } from './transports/fakeProcess.ts';

/** The process of a server that answers at once, except for the greeting when it is slow. */
class ToldProcess extends FakeProcess {
  readonly #real: Real;
  #greet: (() => void) | undefined;
  isAlive = true;

  constructor(real: Real) {
    super();
    this.#real = real;
    this.start();
  }

  override async write(text: string): Promise<void> {
    await super.write(text);
    const { id, method } = JSON.parse(text) as { readonly id?: number | string; readonly method?: string };
    const say = (answer: object): void => this.say(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    if (method === 'initialize') {
      const capabilities = { tools: { listChanged: true } };
      this.#greet = () => say({ result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'told', version: '1' } } });
      if (!this.#real.isSlow) {
        this.greet();
      }
    } else if (method === 'tools/list') {
      const tools = Array.from({ length: this.#real.tools }, (_, index) => ({ name: `tool${index}`, inputSchema: { type: 'object' } }));
      say({ result: { tools } });
    } else if (id !== undefined) {
      say({ error: { code: -32_601, message: 'Method not found' } });
    }
  }

  /** Whether it was greeted and has not answered. */
  get isGreeted(): boolean {
    return this.#greet !== undefined;
  }

  greet(): void {
    this.#greet?.();
    this.#greet = undefined;
  }

  die(exit: Parameters<FakeProcess['exit']>[0]): void {
    this.isAlive = false;
    this.exit(exit);
    this.end();
  }

  override stop(): Promise<void> {
    this.die({ kind: 'stopped', lastErrorLines: [] });
    return Promise.resolve();
  }
}

interface Real {
  readonly host: TestHost;
  readonly clock: FakeClock;
  readonly processes: ToldProcess[];
  readonly starts: Promise<unknown>[];
  isSlow: boolean;
  tools: number;
}

/** What is simple enough to be right: how the server stands, and what it may do by itself. */
interface Model {
  state: { kind: 'stopped'; reason: StopReason } | { kind: 'starting' | 'ready' } | { kind: 'failed'; isTriedAgain: boolean };
  isAllowed: boolean;
  isSlow: boolean;
  /** How many tools a running server has been heard to have at least, and has at most. */
  tools: [number, number];
  tries: number;
  /** How many processes there were. */
  begun: number;
  wasReady: boolean;
  definition: number;
  isOver: boolean;
}

type Command = fc.AsyncCommand<Model, Real>;

const { signal } = new AbortController();
const idOf = ({ host }: Real): string => host.server('told').id;
const isRunning = ({ state: { kind } }: Model): boolean => kind === 'starting' || kind === 'ready';

interface Seen extends Pick<Model, 'state' | 'begun'> {
  readonly alive: number;
}

/** How it stands, and how many processes it has and had. */
function seen({ host, processes }: Real): Seen {
  const { state } = host.server('told');
  const counts = { begun: processes.length, alive: processes.filter(({ isAlive }) => isAlive).length };
  switch (state.kind) {
    case 'stopped':
      return { state: { kind: 'stopped', reason: state.reason }, ...counts };
    case 'failed':
      return { state: { kind: 'failed', isTriedAgain: state.retryAt !== undefined }, ...counts };
    case 'starting':
    case 'ready':
      return { state: { kind: state.kind }, ...counts };
  }
}

const command = commandsOf<Model, Real>(async (model, real) => {
  const expected: Seen = { state: model.state, begun: model.begun, alive: isRunning(model) ? 1 : 0 };
  const isGreeted = (): boolean => model.state.kind !== 'starting' || real.processes.at(-1)?.isGreeted === true;
  const isReached = (): boolean => JSON.stringify(seen(real)) === JSON.stringify(expected) && isGreeted();
  const deadline = performance.now() + 30_000;
  while (!isReached() && performance.now() < deadline) {
    await turn(); // a start looks for its program on the disk
  }
  for (let turns = 0; turns < 3; turns += 1) {
    await turn(); // it stays as it is
  }
  assert.deepEqual(seen(real), expected);
  const tools = real.host.server('told').tools.length;
  const [least, most] = model.state.kind === 'ready' ? model.tools : [0, 0];
  assert.ok(tools >= least && tools <= most, `${tools} tools, not ${least} to ${most}`);
  model.tools[0] = Math.max(least, tools);
});

/** A process begins, and is ready unless it is slow. */
function begin(model: Model, real: Real): void {
  model.begun += 1;
  model.state = { kind: model.isSlow ? 'starting' : 'ready' };
  model.wasReady ||= !model.isSlow;
  model.tools = [real.tools, real.tools];
}

function startAsked(model: Model, real: Real, isGranted: boolean): void {
  if (isRunning(model) || model.isOver) {
    return;
  }
  model.tries = 0;
  model.isAllowed ||= isGranted;
  if (model.isAllowed) {
    begin(model, real);
  } else {
    model.state = { kind: 'stopped', reason: 'needsConsent' };
  }
}

function prepare(model: Model, real: Real, isSlow: boolean, isGranted: boolean): void {
  real.isSlow = model.isSlow = isSlow;
  real.host.answer = () => (isGranted ? 'allow' : 'deny');
}

const start = (isSlow: boolean, isGranted: boolean): Command =>
  command(`start(${isSlow ? 'slow' : ''}; ${isGranted ? 'granted' : 'refused'})`, (model, real) => {
    prepare(model, real, isSlow, isGranted);
    real.starts.push(real.host.registry.start(idOf(real), { ask: real.host.ask, signal }));
    startAsked(model, real, isGranted);
  });

const restart = (isSlow: boolean): Command =>
  command(`restart(${isSlow ? 'slow' : ''})`, (model, real) => {
    prepare(model, real, isSlow, true);
    real.starts.push(real.host.registry.restart(idOf(real), { ask: real.host.ask, signal }));
    if (!model.isOver) {
      model.state = { kind: 'stopped', reason: 'byUser' };
      startAsked(model, real, true);
    }
  });

const greet = command(
  'greet',
  (model, { processes, ...real }) => {
    processes.at(-1)?.greet();
    model.state = { kind: 'ready' };
    model.wasReady = true;
    model.tools = [real.tools, real.tools];
  },
  ({ state }) => state.kind === 'starting',
);

const crash = command(
  'crash',
  (model, { processes }) => {
    processes.at(-1)?.die({ kind: 'exited', code: 1, signal: null, lastErrorLines: [] });
    const isTriedAgain = model.wasReady && model.tries < reconnectPolicy.maxAttempts;
    model.tries += isTriedAgain ? 1 : 0;
    model.state = { kind: 'failed', isTriedAgain };
  },
  isRunning,
);

const tryAgain = command(
  'tryAgain',
  (model, real) => {
    real.clock.advance(reconnectPolicy.maxMs);
    if (model.isAllowed) {
      begin(model, real);
    } else {
      model.state = { kind: 'stopped', reason: 'needsConsent' };
    }
  },
  ({ state, isOver }) => state.kind === 'failed' && state.isTriedAgain && !isOver,
);

function stopNow(model: Model, reason: StopReason): void {
  if (model.state.kind !== 'stopped') {
    model.state = { kind: 'stopped', reason };
  }
}

const stop = command('stop', async (model, real) => {
  await real.host.registry.stop(idOf(real));
  stopNow(model, 'byUser');
});

const revoke = command(
  'revoke',
  async (model, { host: { ledger } }) => {
    await ledger.revoke(...ledger.answers().map(({ id }) => id));
    model.isAllowed = false;
    if (isRunning(model)) {
      stopNow(model, 'needsConsent');
    }
  },
  ({ isAllowed, isOver }) => isAllowed && !isOver,
);

/** It has one tool more. When that is read, nobody can tell. */
const announce = command(
  'announce',
  (model, real) => {
    model.tools[1] = real.tools += 1;
    real.processes.at(-1)?.say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
  },
  ({ state }) => state.kind === 'ready',
);

const define = command(
  'define',
  async (model, { host }) => {
    await host.configure(definitionOf((model.definition += 1)));
    model.state = { kind: 'stopped', reason: isRunning(model) ? 'needsConsent' : 'neverStarted' };
    [model.isAllowed, model.wasReady, model.tries] = [false, false, 0];
  },
  ({ isOver }) => !isOver,
);

const leave = command(
  'leave',
  async (model, { host }) => {
    await host.close();
    stopNow(model, 'byUser');
    model.isOver = true;
  },
  ({ isOver }) => !isOver,
);

const definitionOf = (version: number): object => ({ told: { command: 'node', args: [`${version}`] } });
const steps: readonly fc.Arbitrary<Command>[] = [
  fc.tuple(fc.boolean(), fc.constantFrom(true, true, false)).map((given) => start(...given)),
  fc.boolean().map((isSlow) => start(isSlow, true)),
  fc.boolean().map(restart),
  ...[greet, crash, crash, tryAgain, tryAgain, stop, revoke, announce, define].map((each) => fc.constant(each)),
  fc.constantFrom(announce, announce, leave),
];

describe('The connection of a server, whatever happens in whatever order,', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = createTemporaryFolder();
  });
  after(() => removeTemporaryFolder(folder));

  const beginPair = async (): Promise<Pair<Model, Real>> => {
    const processes: ToldProcess[] = [];
    const startProcess = (): ToldProcess => {
      const process = new ToldProcess(real);
      processes.push(process);
      return process;
    };
    const clock = new FakeClock();
    const host = await createTestHost({ folder, starter: { start: startProcess }, ports: { clock } });
    const real: Real = { host, clock, processes, starts: [], isSlow: false, tools: 1 };
    await host.configure(definitionOf(0));
    const model: Model = {
      ...{ state: { kind: 'stopped', reason: 'neverStarted' }, tools: [0, 0], tries: 0, begun: 0, definition: 0 },
      ...{ isAllowed: false, isSlow: false, wasReady: false, isOver: false },
    };
    const end = async (): Promise<void> => {
      await host.close();
      await Promise.all(real.starts);
      assert.deepEqual([seen(real).alive, clock.pending], [0, 0], 'no process and no timer is left');
    };
    return { model, real, end };
  };

  it('stands as a simple model of it does, with one process at most and none at the end', () => runBesideModel(steps, beginPair, 50));
});
