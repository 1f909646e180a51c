import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import type { ClientApproval } from '../../../src/server/access/clientApproval.ts';
import { allowReader } from '../../unit/server/support/fakePorts.ts';
import { runServer, type RunningServer } from '../../unit/server/support/runningServer.ts';
import { longestBlock } from '../longestBlock.ts';
import { randomFrom } from '../random.ts';
import type { CrowdOrder, CrowdReport } from './crowd.ts';
import {
  Counts,
  JumpingClock,
  leftOver,
  MemoryWatch,
  nowAndThen,
  openHandles,
  rounds,
  type SoakFigures,
  type SoakOrder,
} from './figures.ts';

const hour = 3_600_000;
/** How much later than told a crowd may be done: its last calls are answered first. */
const graceMs = 60_000;

/** A person who lets everybody read and nobody act. */
const person: ClientApproval = {
  ask: () => Promise.resolve(allowReader),
  confirm: () => Promise.resolve('denied'),
  confirmOwn: () => Promise.resolve('denied'),
  raiseRole: () => Promise.resolve('denied'),
};

/**
 * The embedded server with clients on every transport that come, call, leave in the middle or read nothing, while what they
 * subscribed to changes and the clock jumps by hours.
 */
export async function soakManyClients({ ms, seed, count }: SoakOrder): Promise<SoakFigures> {
  const before = openHandles();
  const random = randomFrom(seed);
  const memory = new MemoryWatch();
  const clock = new JumpingClock();
  const running = await runServer({ person });
  const seen = new Counts();
  const faults: string[] = [];
  let blockMs = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const roundMs = ms / rounds;
      const roundBlockMs = await longestBlock(async () => {
        const [{ lost, ...counts }] = await Promise.all([
          letCome(running, { clients: count, ms: roundMs, seed: seed + round * count }),
          nowAndThen(roundMs, 50, random, () => {
            seen.add({ changes: 1 });
            running.editor.didChangeDiagnostics.fire();
          }),
          nowAndThen(roundMs, roundMs / 3, random, () => clock.jump((random() < 0.5 ? 1 : -1) * hour * Math.ceil(random() * 12))),
        ]);
        seen.add(counts);
        faults.push(...lost);
      });
      blockMs = Math.max(blockMs, roundBlockMs);
      await memory.look(); // between rounds: garbage that is collected on demand is a block that nobody else has
    }
    await running.close();
    const counts = { ...seen.all(), clockJumps: clock.jumps };
    return { counts, blockMs, growth: memory.growth(), faults: [...faults, ...leftOver(before)] };
  } finally {
    clock.dispose();
  }
}

async function letCome(running: RunningServer, order: Pick<CrowdOrder, 'clients' | 'ms' | 'seed'>): Promise<CrowdReport> {
  const { server } = running;
  const { state } = server;
  if (state.kind !== 'listening') {
    throw new Error('The server does not listen.');
  }
  const tokens = Array.from({ length: 20 }, () => running.otherToken());
  const whole: CrowdOrder = { ...order, urls: state.urls, tokens };
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, 'crowd.ts'), JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: order.ms + graceMs,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    throw new Error(`The crowd ended with ${code}.`);
  }
  return JSON.parse(text) as CrowdReport;
}
