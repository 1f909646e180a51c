/**
 * `npx tsx test/interop/conformance/run.ts [client|server [REVISION [SCENARIO]]]`: how Duplex does in the official
 * conformance suite. With a scenario it shows everything that was said and checked.
 */
import { runClientSuite } from './clientSuite.ts';
import { runServerSuite } from './serverSuite.ts';
import type { Revision, SuiteResult } from './suiteResult.ts';

type Side = 'client' | 'server';

const [side, revision, scenario] = process.argv.slice(2);
const sides: readonly Side[] = side === 'client' || side === 'server' ? [side] : ['client', 'server'];
const revisions = revision === undefined ? (['2025-11-25', '2026-07-28'] as const) : [revision as Revision];
let isComplete = true;
for (const each of sides) {
  for (const one of revisions) {
    const result = await (each === 'client' ? runClientSuite(one, { scenario }) : runServerSuite(one, scenario));
    if (scenario === undefined) {
      isComplete = print(`${each} ${one}`, result) && isComplete;
    } else {
      console.log(result.output);
    }
  }
}
process.exit(isComplete ? 0 : 1);

function print(name: string, { required, others, output }: SuiteResult): boolean {
  const passed = [...required.values()].filter(Boolean).length;
  const lines = [
    `${name}: ${passed} of ${required.size} required scenarios`,
    ...[...required].map(([each, didPass]) => `  ${didPass ? '✓' : '✗'} ${each}`),
    ...[...others].map(([each, didPass]) => `  ${didPass ? '✓' : '✗'} ${each} (does not count)`),
  ];
  console.log((required.size === 0 ? [output] : lines).join('\n'));
  return required.size > 0 && passed === required.size;
}
