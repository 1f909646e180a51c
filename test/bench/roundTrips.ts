import { setTimeout as wait } from 'node:timers/promises';

/** One way to ask and be answered, measured. */
export interface Target {
  readonly name: string;
  /** Sends one request and resolves when its answer is there. */
  readonly call: () => Promise<void>;
}

export interface Measurement {
  readonly name: string;
  readonly inFlight: number;
  /** Round trips per second; the median over the rounds. */
  readonly perSecond: number;
}

const rounds = 5;
const roundMs = 700;

/** All targets in turn, round after round, so that a busy moment of the machine hits each of them alike. */
export async function measureInTurn(targets: readonly Target[], inFlight: number): Promise<Measurement[]> {
  const rates = new Map(targets.map((target) => [target.name, [] as number[]]));
  for (const target of targets) {
    await measureRound(target, inFlight, roundMs); // warm up
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) {
      rates.get(target.name)?.push(await measureRound(target, inFlight, roundMs));
      await wait(20);
    }
  }
  return targets.map(({ name }) => ({ name, inFlight, perSecond: median(rates.get(name) ?? []) }));
}

async function measureRound(target: Target, inFlight: number, milliseconds: number): Promise<number> {
  const started = performance.now();
  const until = started + milliseconds;
  let calls = 0;
  const keepCalling = async (): Promise<void> => {
    while (performance.now() < until) {
      await target.call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepCalling));
  return (calls * 1_000) / (performance.now() - started);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
