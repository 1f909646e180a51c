import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { ClientApproval } from '../../../src/server/access/clientApproval.ts';
import { allowReader } from '../../unit/server/support/fakePorts.ts';
import { runServer, type RunningServer } from '../../unit/server/support/runningServer.ts';
import { longestBlocks } from '../longestBlock.ts';
import { randomFrom } from '../random.ts';
import { JumpingClock } from './clocks.ts';
import type { CrowdOrder, CrowdReport } from './crowd.ts';
import { Counts, leftOver, MemoryWatch, nowAndThen, openHandles, rounds, type SoakFigures, type SoakOrder } from './figures.ts';

const hour = 3_600_000;
/** A crowd that takes ten times as long as it was told, and this much more, is not waited for. */
const maxLateMs = 10 * 60_000;

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
  // The same programs come in every round: what new ones left behind would keep its places beside that of the old ones.
  const tokens = Array.from({ length: 20 }, () => running.otherToken());
  const seen = new Counts();
  const faults: string[] = [];
  let [blockMs, workMs, slowest] = [0, 0, 0];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const roundMs = ms / rounds;
      const { isReady, report } = letCome(running, { tokens, clients: count, ms: roundMs, seed: seed + round * count });
      await isReady; // to start a program is work of this process, but not of the server
      const blocks = await longestBlocks(async () => {
        const [{ lost, slowestMs, ...counts }] = await Promise.all([
          report,
          nowAndThen(roundMs, 50, random, () => {
            seen.add({ changes: 1 });
            running.editor.didChangeDiagnostics.fire();
          }),
          nowAndThen(roundMs, roundMs / 3, random, () => clock.jump((random() < 0.5 ? 1 : -1) * hour * Math.ceil(random() * 12))),
        ]);
        seen.add(counts);
        slowest = Math.max(slowest, slowestMs);
        faults.push(...lost);
      });
      [blockMs, workMs] = [Math.max(blockMs, blocks.blockMs), Math.max(workMs, blocks.workMs)];
      running.editor.queries.length = 0; // what the stand-in writes down for unit tests is no memory of the server
      await memory.look(); // between rounds: garbage that is collected on demand is a block that nobody else has
    }
    await running.close();
    const counts = { ...seen.all(), clockJumps: clock.jumps, msForTheSlowestAnswer: slowest };
    return { counts, blockMs, workMs, growth: memory.growth(), faults: [...faults, ...leftOver(before)] };
  } finally {
    clock.dispose();
  }
}

/** A crowd that comes now: `isReady` when its first client comes, `report` when its last one has gone. */
interface Coming {
  readonly isReady: Promise<void>;
  readonly report: Promise<CrowdReport>;
}

function letCome({ server: { state } }: RunningServer, order: Omit<CrowdOrder, 'urls'>): Coming {
  if (state.kind !== 'listening') {
    throw new Error('The server does not listen.');
  }
  const whole: CrowdOrder = { ...order, urls: state.urls };
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, 'crowd.ts'), JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: Math.round(10 * order.ms) + maxLateMs,
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const closed = once(child, 'close') as Promise<[number | null]>;
  const isReady = lines.next().then(() => undefined);
  const report = isReady.then(async () => {
    const line = (await lines.next()) as { readonly value?: string };
    const [code] = await closed;
    if (code !== 0) {
      throw new Error(`The crowd ended with ${code}.`);
    }
    return JSON.parse(line.value ?? '') as CrowdReport;
  });
  return { isReady, report };
}
