/** Run by itself: prints how much longer a call of a tool takes through the host, with its permission, than with the bare SDK. */
import * as path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { systemClock } from '../../src/base/clock.ts';
import { AuditLog } from '../../src/consent/audit/auditLog.ts';
import { RotatingLines } from '../../src/platform/files/rotatingLines.ts';
import { TrafficLog } from '../../src/traffic/trafficLog.ts';
import { withoutSecrets } from '../../src/secrets/redactSecrets.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, scriptedServer, textOf, type TestHost } from '../unit/host/support.ts';
import { measureInTurn, type Measurement, type Target } from './roundTrips.ts';
import { overRounds, reportRows } from './rows.ts';

const folder = createTemporaryFolder();
const storage = new RotatingLines(path.join(folder, 'audit.jsonl'), { maxBytes: 10_000_000, maxParts: 5 });
const audit = new AuditLog({ storage, key: () => 'key', clock: systemClock, onFailure: (error) => console.error(error) });
const client = new Client({ name: 'bench', version: '1' });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [scriptedServer, 'normal'] }));
const [closed, open] = [createLog(), createLog()];
open.setOpen(true);
const hosts = [
  ['host', await createTestHost()],
  ['host, recorded', await createTestHost({ audit })],
  ['host, traffic closed', await createTestHost({ ports: { traffic: closed } })],
  ['host, traffic open', await createTestHost({ ports: { traffic: open } })],
] as const;
const targets: readonly Target[] = [
  {
    name: 'bare SDK',
    call: async () => {
      await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    },
  },
  ...(await Promise.all(hosts.map(async ([name, host]) => ({ name, call: await callerOf(host) })))),
];
console.log('\na tool of a local server, called through the host and its permission, against the bare SDK (goal: 120 % of its time)');
for (const inFlight of [1, 16]) {
  const measured = await measureInTurn(targets, inFlight);
  for (const each of measured) {
    printRow(each, measured);
    reportRow(each, measured);
  }
}
await Promise.all([client.close(), ...hosts.map(([, host]) => host.close())]);
await audit.flush();
await removeTemporaryFolder(folder);

function createLog(): TrafficLog {
  return new TrafficLog({ clock: systemClock, mask: () => (text) => withoutSecrets(text, []), canRepeat: () => false });
}

async function callerOf(host: TestHost): Promise<() => Promise<void>> {
  await host.startScripted();
  return async () => void textOf(await host.call('echo', { text: 'hello' }));
}

function printRow({ name, inFlight, perSecond }: Measurement, all: readonly Measurement[]): void {
  const floor = all.find((each) => each.name === 'bare SDK')?.perSecond ?? Number.NaN;
  const cells = [`${perSecond.toFixed(0)} /s`.padStart(9), `${((floor / perSecond) * 100).toFixed(0)} %`.padStart(7)];
  console.log(`${name.padEnd(20)} ${String(inFlight).padStart(3)} in flight  ${cells.join('  ')}`);
}

/** Round by round: a slow moment of the machine counts for both. */
function reportRow({ name, inFlight, perSecond, rounds }: Measurement, all: readonly Measurement[]): void {
  const bare = all.find((each) => each.name === 'bare SDK');
  if (bare === undefined || name === bare.name) {
    return;
  }
  const isTheCall = name === 'host';
  reportRows([
    {
      what: `a tool of a local server through the ${name}, ${inFlight} in flight: time beside the bare SDK`,
      ...overRounds(rounds.map((round, index) => ((bare.rounds[index]?.perSecond ?? Number.NaN) / round.perSecond) * 100)),
      unit: '%',
      goal: isTheCall ? { atMost: 120 } : undefined,
      beside: `${perSecond.toFixed(0)} /s; bare SDK ${bare.perSecond.toFixed(0)} /s`,
      isInReadme: isTheCall,
    },
  ]);
}
