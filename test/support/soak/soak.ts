/** `node --expose-gc … soak.ts [--minutes N] [--seed N] [--only NAME]`: every part under load and faults, one after the other; fails when something is lost or left. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { SoakFigures } from './figures.ts';
import { soakKilledWindows } from './killedWindows.ts';
import { soakManyClients } from './manyClients.ts';
import { soakManyServers } from './manyServers.ts';
import { soakSleepingWindows } from './sleepingWindows.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
  },
});
const ms = Number(values.minutes) * 60_000;
const seed = Number(values.seed);
console.log(`${values.minutes} minutes each, seed ${seed}`);
const parts: Readonly<Record<string, () => Promise<SoakFigures>>> = {
  '200 clients': () => soakManyClients({ ms, seed, count: 200 }),
  '20 servers': () => soakManyServers({ ms, seed, count: 20 }),
  'killed windows': () => soakKilledWindows({ ms, seed, count: 3 }),
  'sleeping windows': () => soakSleepingWindows({ ms, seed, count: 3 }),
};
let isFailed = false;
for (const [name, soak] of Object.entries(parts).filter(([name]) => name.includes(values.only))) {
  isFailed = print(name, await soak()) || isFailed;
}
process.exit(isFailed ? 1 : 0);

/** Returns whether something was lost or left. */
function print(name: string, { counts, blockMs, workMs, growth, faults }: SoakFigures): boolean {
  const counted = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  const block = blockMs === undefined ? '' : `; longest block ${blockMs.toFixed(0)} ms, most work in one ${workMs?.toFixed(0)} ms`;
  const memory = growth === undefined ? '' : `; memory ${growth.toFixed(2)} MB a minute`;
  console.log(`${name}: ${counted.join(', ')}${block}${memory}`);
  faults.forEach((fault) => console.log(`  ${fault}`));
  return faults.length > 0;
}
