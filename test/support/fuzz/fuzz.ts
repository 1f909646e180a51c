/** `npm run fuzz [-- TARGET…] [--cases N] [--seed N]`: reads what nobody would write, very often; a failure names its seed. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { targets } from './targets.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: String(Date.now() % 2 ** 31) } },
});
const chosen = targets.filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)));
console.log(`${chosen.length} targets, ${values.cases} cases each, seed ${values.seed}`);
let failures = 0;
for (const { name, run } of chosen) {
  const start = performance.now();
  try {
    await run(Number(values.cases), Number(values.seed));
    console.log(`${name}: held (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures += 1;
    console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
process.exit(failures > 0 || chosen.length === 0 ? 1 : 0);
