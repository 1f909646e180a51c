/**
 * Run by itself: prints what a box costs a local server, at its start and at each call, beside the same server without one, and what the
 * trial costs that comes before the first box of a window.
 */
import * as path from 'node:path';
import { Boxes } from '../../src/host/box/boxes.ts';
import { ensureBoxPrograms, hasBoxPrograms } from '../support/run/boxPrograms.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, scriptedServer } from '../unit/host/support.ts';
import { median, overRounds, reportRows } from './rows.ts';

const rounds = 7;
const calls = 200;

interface Times {
  readonly startMs: number;
  readonly callMs: number;
}

function boxesOf(userHome: string): Boxes {
  const env = { PATH: path.dirname(process.execPath), HOME: userHome };
  return new Boxes({ folder: path.join(userHome, 'boxes'), userHome, env, platform: process.platform, secretPlaces: [] });
}

/** The time of the trial in a window that had none yet. */
async function trialMs(): Promise<number> {
  const boxes = boxesOf(createTemporaryFolder());
  const begin = performance.now();
  const obstacle = await boxes.try();
  if (obstacle !== undefined) {
    throw new Error(`No box holds here: ${JSON.stringify(obstacle)}`);
  }
  return performance.now() - begin;
}

/** The times of one server that was allowed before. The folder that is open holds it, as a repository's would. */
async function timesOf(isConfined: boolean): Promise<Times> {
  const folder = path.dirname(scriptedServer);
  const userHome = createTemporaryFolder();
  const env = { PATH: path.dirname(process.execPath), HOME: userHome };
  const host = await createTestHost({ folder, environment: { env, userHome }, ports: { boxes: boxesOf(userHome) } });
  try {
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? { choice: 'allow', isConfined } : 'allowSession');
    await host.startScripted();
    const { id } = host.server('scripted');
    await host.registry.stop(id);
    const begin = performance.now();
    await host.registry.start(id, { signal: new AbortController().signal });
    const startMs = performance.now() - begin;
    await host.call('echo', { text: 'first' });
    const first = performance.now();
    for (let count = 0; count < calls; count += 1) {
      await host.call('echo', { text: 'again' });
    }
    return { startMs, callMs: (performance.now() - first) / calls };
  } finally {
    await host.close();
  }
}

await ensureBoxPrograms();
if (await hasBoxPrograms()) {
  const trials: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    trials.push(await trialMs());
  }
  const trial = overRounds(trials);
  console.log(`\nThe trial of a box, once in a window: ${trial.measured.toFixed(0)} ms`);
  reportRows([{ what: 'The trial of a box, once in a window', ...trial, unit: 'ms', goal: { atMost: 100 } }]);
  const measured: { readonly open: Times; readonly confined: Times }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({ open: await timesOf(false), confined: await timesOf(true) });
  }
  console.log('\nA local server in a box, beside the same without one');
  for (const [kind, name] of [
    ['startMs', 'start'],
    ['callMs', 'call'],
  ] as const) {
    const [open, confined] = (['open', 'confined'] as const).map((each) => median(measured.map((round) => round[each][kind])));
    const ratio = overRounds(measured.map((round) => round.confined[kind] / round.open[kind]));
    const beside = `${confined?.toFixed(2)} ms; without ${open?.toFixed(2)} ms`;
    console.log(`${name.padEnd(8)} ${ratio.measured.toFixed(2)} times (${beside})`);
    reportRows([{ what: `A confined local server: time of a ${name} beside unconfined`, ...ratio, unit: '×', beside }]);
  }
}
