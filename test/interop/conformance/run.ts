/**
 * `npx tsx test/interop/conformance/run.ts [REVISION [SCENARIO]]`: how Duplex's host does in the official conformance
 * suite. With a scenario it shows everything that was said and checked.
 */
import { runClientSuite, type Revision, type SuiteResult } from './clientSuite.ts';

const [revision, scenario] = process.argv.slice(2);
const revisions = revision === undefined ? (['2025-11-25', '2026-07-28'] as const) : [revision as Revision];
let isComplete = true;
for (const each of revisions) {
  const result = await runClientSuite(each, { scenario });
  if (scenario === undefined) {
    isComplete = print(each, result) && isComplete;
  } else {
    console.log(result.output);
  }
}
process.exit(isComplete ? 0 : 1);

function print(name: Revision, { required, others, output }: SuiteResult): boolean {
  const passed = [...required.values()].filter(Boolean).length;
  const lines = [
    `client ${name}: ${passed} of ${required.size} required scenarios`,
    ...[...required].map(([each, didPass]) => `  ${didPass ? '✓' : '✗'} ${each}`),
    ...[...others].map(([each, didPass]) => `  ${didPass ? '✓' : '✗'} ${each} (does not count)`),
  ];
  console.log((required.size === 0 ? [output] : lines).join('\n'));
  return required.size > 0 && passed === required.size;
}
