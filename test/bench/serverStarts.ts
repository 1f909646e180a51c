/** Run by itself: prints how long twenty local servers take to start together, against the slowest of them alone. */
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { AuditLog } from '../../src/consent/audit/auditLog.ts';
import { RotatingLines } from '../../src/platform/files/rotatingLines.ts';
import { SharedFile } from '../../src/platform/files/sharedFile.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, scriptedServer, type TestHost } from '../unit/host/support.ts';
import { median, overRounds, reportRows } from './rows.ts';

const count = 20;
/** Of the slowest, before it says anything; the others are spread below it. */
const slowestMs = 2_000;
const rounds = 3;

interface Round {
  /** Twenty clients of the SDK, with nothing around them: what the machine needs for so many processes. */
  readonly bare: number;
  readonly alone: number;
  readonly allowed: number;
  readonly asked: number;
}

const measured: Round[] = [];
for (let round = 0; round < rounds; round += 1) {
  measured.push({
    bare: await timeOfBare(),
    alone: await timeOf([count], 'allowed'),
    allowed: await timeOf(all(), 'allowed'),
    asked: await timeOf(all(), 'asked'),
  });
}
const alone = median(measured.map((each) => each.alone));
console.log(`\n${count} local servers that start together, against the slowest of them alone (goal: 1.2 times its time)`);
console.log(`the slowest alone     ${alone.toFixed(0)} ms`);
for (const kind of ['bare', 'allowed', 'asked'] as const) {
  const time = median(measured.map((each) => each[kind]));
  const ratio = overRounds(measured.map((each) => each[kind] / each.alone));
  const name = { bare: 'bare SDK', allowed: 'allowed before', asked: 'with questions' }[kind];
  console.log(`all, ${name.padEnd(16)} ${time.toFixed(0)} ms  ${ratio.measured.toFixed(2)} times`);
  reportRows([
    {
      what: `${count} local servers that start together, ${name}: time beside the slowest alone`,
      ...ratio,
      unit: '×',
      ...(kind === 'bare' ? {} : { goal: { atMost: 1.2 }, isInReadme: true }),
      beside: `${time.toFixed(0)} ms; the slowest ${alone.toFixed(0)} ms`,
    },
  ]);
}

function all(): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Until all are ready; `numbers` say how slow each is. */
async function timeOf(numbers: readonly number[], kind: 'allowed' | 'asked'): Promise<number> {
  const folder = createTemporaryFolder();
  const storage = await SharedFile.open(path.join(folder, 'permissions.json'), silentLog);
  const lines = new RotatingLines(path.join(folder, 'audit.jsonl'), { maxBytes: 10_000_000, maxParts: 5 });
  const audit = new AuditLog({ storage: lines, key: () => 'key', clock: systemClock, onFailure: (error) => console.error(error) });
  const host = await createTestHost({ storage, audit, folder });
  try {
    await configure(host, folder, numbers, 0);
    if (kind === 'allowed') {
      await startAll(host);
      await host.registry.stopAll();
      await host.close();
      const again = await createTestHost({ storage, audit, folder });
      await again.ledger.load();
      await configure(again, folder, numbers, slowestMs);
      return await timed(again, () => again.registry.startApproved());
    }
    await configure(host, folder, numbers, slowestMs);
    return await timed(host, () => startAll(host));
  } finally {
    await audit.flush();
    await lines.rest();
    storage.dispose();
    await removeTemporaryFolder(folder);
  }
}

async function timeOfBare(): Promise<number> {
  const folder = createTemporaryFolder();
  const clients = all().map(() => new Client({ name: 'bench', version: '1' }));
  try {
    await writeFile(path.join(folder, 'delay'), String(slowestMs));
    const began = performance.now();
    await Promise.all(
      clients.map(async (client, index) => {
        await client.connect(new StdioClientTransport({ command: process.execPath, args: argsOf(index + 1, folder) }));
        await client.listTools();
      }),
    );
    return performance.now() - began;
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await removeTemporaryFolder(folder);
  }
}

async function timed(host: TestHost, start: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await start();
  const time = performance.now() - began;
  const notReady = host.registry.servers().filter(({ state }) => state.kind !== 'ready');
  await host.close();
  if (notReady.length > 0) {
    throw new Error(`${notReady.length} servers did not start: ${JSON.stringify(notReady[0]?.state)}`);
  }
  return time;
}

async function startAll(host: TestHost): Promise<void> {
  const { signal } = new AbortController();
  await Promise.all(host.registry.servers().map(({ id }) => host.registry.start(id, { ask: host.ask, signal })));
}

/** The delay is in a file of its own, so that the definition, which is what is allowed, stays the same. */
async function configure(host: TestHost, folder: string, numbers: readonly number[], milliseconds: number): Promise<void> {
  await writeFile(path.join(folder, 'delay'), String(milliseconds));
  const servers = numbers.map((number) => [`server${number}`, { command: 'node', args: argsOf(number, folder) }] as const);
  await host.configure(Object.fromEntries(servers));
}

function argsOf(number: number, folder: string): string[] {
  const program = `const delay = Number(require('node:fs').readFileSync(process.argv[2], 'utf8'));
    setTimeout(() => import(${JSON.stringify(scriptedServer)}), (process.argv[1] / ${count}) * delay);`;
  return ['-e', program, String(number), path.join(folder, 'delay')];
}
