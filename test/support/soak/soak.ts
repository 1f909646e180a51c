/** `node --expose-gc … soak.ts [--minutes N] [--seed N] [--only NAME]`: both halves under load and faults, one after the other; fails when something is lost or left. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { SoakFigures } from './figures.ts';
import { soakManyClients } from './manyClients.ts';
import { soakManyServers } from './manyServers.ts';

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
};
let isFailed = false;
for (const [name, soak] of Object.entries(parts).filter(([name]) => name.includes(values.only))) {
  isFailed = print(name, await soak()) || isFailed;
}
process.exit(isFailed ? 1 : 0);

/** Returns whether something was lost or left. */
function print(name: string, { counts, blockMs, growth, faults }: SoakFigures): boolean {
  const counted = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(`${name}: ${counted.join(', ')}; longest block ${blockMs.toFixed(0)} ms; memory ${growth.toFixed(2)} MB a minute`);
  faults.forEach((fault) => console.log(`  ${fault}`));
  return faults.length > 0;
}
