import { setTimeout as wait } from 'node:timers/promises';
import { median } from './rows.ts';

/** One way to ask and be answered, measured. */
export interface Target {
  readonly name: string;
  /** Sends one request and resolves when its answer is there. */
  readonly call: () => Promise<void>;
}

export interface Round {
  readonly perSecond: number;
  /** Microseconds of the server's process per call; none where nobody was asked for them. */
  readonly cpuMicros: number | undefined;
  /** Milliseconds that a call took. */
  readonly p50: number;
  readonly p99: number;
}

export interface Measurement {
  readonly name: string;
  readonly inFlight: number;
  /** Round trips per second; the median over the rounds. */
  readonly perSecond: number;
  /** In their order: what is measured in turn has the same machine in the same round. */
  readonly rounds: readonly Round[];
}

const rounds = 7;
const roundMs = 600;

/** All targets in turn, round after round, so that a busy moment of the machine hits each of them alike. */
export async function measureInTurn(
  targets: readonly Target[],
  inFlight: number,
  /** Microseconds that the server's process has taken so far. */
  cpu?: () => Promise<number>,
): Promise<Measurement[]> {
  const measured = new Map(targets.map((target) => [target.name, [] as Round[]]));
  for (const target of targets) {
    await measureRound(target, inFlight, cpu); // warm up
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) {
      measured.get(target.name)?.push(await measureRound(target, inFlight, cpu));
      await wait(20);
    }
  }
  return targets.map(({ name }) => {
    const own = measured.get(name) ?? [];
    return { name, inFlight, perSecond: median(own.map(({ perSecond }) => perSecond)), rounds: own };
  });
}

async function measureRound(target: Target, inFlight: number, cpu: (() => Promise<number>) | undefined): Promise<Round> {
  const cpuBefore = await cpu?.();
  const started = performance.now();
  const until = started + roundMs;
  const times: number[] = [];
  const keepCalling = async (): Promise<void> => {
    for (let now = performance.now(); now < until;) {
      await target.call();
      const then = performance.now();
      times.push(then - now);
      now = then;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepCalling));
  const perSecond = (times.length * 1_000) / (performance.now() - started);
  const cpuAfter = await cpu?.();
  times.sort((a, b) => a - b);
  const cpuMicros = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / times.length;
  return { perSecond, cpuMicros, p50: times[Math.floor(times.length * 0.5)] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}
