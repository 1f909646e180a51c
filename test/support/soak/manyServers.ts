import process from 'node:process';
import { TextInMemory } from '../../../src/base/sharedStorage.ts';
import { createTestHost, scriptedServer, textOf, untilGone, type TestHost } from '../../unit/host/support.ts';
import { longestBlocks } from '../longestBlock.ts';
import { randomFrom } from '../random.ts';
import { Counts, leftOver, MemoryWatch, nowAndThen, openHandles, rounds, type SoakFigures, type SoakOrder } from './figures.ts';

/** The storage of a machine whose disk is full, or may not be written, from time to time. */
class FailingText extends TextInMemory {
  failure: 'ENOSPC' | 'EROFS' | undefined;

  override async modify(change: (current: string | undefined) => string): Promise<void> {
    if (this.failure !== undefined) {
      throw Object.assign(new Error(`${this.failure}: it cannot be written`), { code: this.failure });
    }
    await super.modify(change);
  }
}

/** The host with many real server processes that are called all the time and killed at random, on a disk that fails now and then. */
export async function soakManyServers({ ms, seed, count }: SoakOrder): Promise<SoakFigures> {
  const before = openHandles();
  const storage = new FailingText();
  const host = await createTestHost({ storage });
  const soak = new ServersSoak(host, storage, count, randomFrom(seed));
  const memory = new MemoryWatch();
  let [blockMs, workMs] = [0, 0];
  await soak.start();
  for (let round = 0; round < rounds; round += 1) {
    const blocks = await longestBlocks(() => soak.go(ms / rounds));
    [blockMs, workMs] = [Math.max(blockMs, blocks.blockMs), Math.max(workMs, blocks.workMs)];
    await memory.look();
  }
  await soak.untilAllAreBack();
  const pids = await soak.pids();
  await host.close();
  const left = await untilGone([...new Set([...pids, ...soak.killed])], 10_000);
  const faults = [...soak.faults, ...left.map((pid) => `the process ${pid} is left`), ...leftOver(before)];
  return { counts: soak.seen.all(), blockMs, workMs, growth: memory.growth(), faults: faults.slice(0, 20) };
}

class ServersSoak {
  readonly #host: TestHost;
  readonly #storage: FailingText;
  readonly #labels: readonly string[];
  readonly #random: () => number;
  readonly seen = new Counts();
  readonly faults: string[] = [];
  readonly killed: number[] = [];

  constructor(host: TestHost, storage: FailingText, count: number, random: () => number) {
    this.#host = host;
    this.#storage = storage;
    this.#labels = Array.from({ length: count }, (_, index) => `server${index}`);
    this.#random = random;
  }

  async start(): Promise<void> {
    const definition = { command: 'node', args: [scriptedServer, 'normal'] };
    await this.#host.configure(Object.fromEntries(this.#labels.map((label) => [label, definition])));
    const { signal } = new AbortController();
    await Promise.all(this.#labels.map((label) => this.#host.registry.start(this.#host.server(label).id, { ask: this.#host.ask, signal })));
    await this.pids();
  }

  async go(ms: number): Promise<void> {
    await Promise.all([
      ...this.#labels.map((label) => nowAndThen(ms, 150, this.#random, () => this.#call(label))),
      nowAndThen(ms, 1_000, this.#random, () => this.#kill()),
      nowAndThen(ms, ms / 4, this.#random, () => {
        this.seen.add({ diskFailures: 1 });
        this.#storage.failure = this.#storage.failure === undefined ? (this.#random() < 0.5 ? 'ENOSPC' : 'EROFS') : undefined;
      }),
    ]);
    this.#storage.failure = undefined;
  }

  /** A call of a server that runs has its own answer, or says that its server has just ended. */
  async #call(label: string): Promise<void> {
    const { id, state } = this.#host.server(label);
    if (state.kind !== 'ready') {
      return;
    }
    const text = `${label} ${this.#random()}`;
    const outcome = await this.#host.call('echo', { text }, { serverId: id });
    if (outcome.kind === 'failed') {
      this.seen.add({ callsOfKilledServers: 1 });
    } else if (outcome.kind === 'result' && textOf(outcome).includes(text)) {
      this.seen.add({ calls: 1 });
    } else {
      this.faults.push(`${label} gave another answer: ${JSON.stringify(outcome).slice(0, 200)}`);
    }
  }

  async #kill(): Promise<void> {
    const label = this.#labels[Math.floor(this.#random() * this.#labels.length)] ?? '';
    const pid = await this.#pidOf(label);
    if (pid !== undefined) {
      this.killed.push(pid);
      this.seen.add({ kills: 1 });
      process.kill(pid, 'SIGKILL');
    }
  }

  async #pidOf(label: string): Promise<number | undefined> {
    const { id, state } = this.#host.server(label);
    if (state.kind !== 'ready') {
      return undefined;
    }
    const outcome = await this.#host.call('surroundings', {}, { serverId: id });
    return outcome.kind === 'result' ? (JSON.parse(textOf(outcome)) as { readonly pid: number }).pid : undefined;
  }

  async pids(): Promise<readonly number[]> {
    return (await Promise.all(this.#labels.map((label) => this.#pidOf(label)))).filter((pid) => pid !== undefined);
  }

  /** A server that ended often waits before it is started again. */
  async untilAllAreBack(): Promise<void> {
    const deadline = performance.now() + 90_000;
    const away = (): readonly string[] => this.#labels.filter((label) => this.#host.server(label).state.kind !== 'ready');
    while (away().length > 0 && performance.now() < deadline) {
      await this.#host.until(() => away().length === 0, 'all servers').catch(() => undefined);
    }
    this.faults.push(...away().map((label) => `${label} did not come back: ${JSON.stringify(this.#host.server(label).state)}`));
  }
}
