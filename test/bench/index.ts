/** Runs inside the extension host: floors and peer live in the same process as Duplex's own listener. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestAccess } from '../../src/app/app.ts';
import { activateDuplex, discovery } from '../editor/support/duplex.ts';
import { measureDiagnostics } from './diagnosticTimes.ts';
import { startFloors } from './floors.ts';
import type { LoadOrder } from './loadClient.ts';
import type { Measurement } from './roundTrips.ts';
import { reportRows } from './rows.ts';
import { startSdkPeer } from './sdkPeer.ts';
import { measureProjects } from './projectTimes.ts';
import { serverRows } from './serverRows.ts';
import { measureTools, toolRows } from './toolTimes.ts';

const loadMs = 300_000;
/** Of `npm run bench -- --only WORD`: a part of it. */
const only = process.env['DUPLEX_BENCH_ONLY'] ?? '';
const isWanted = (part: string): boolean => only === '' || only === part;

export async function run(): Promise<void> {
  const access = await activateDuplex();
  const window = await discovery();
  const answering = access.questions.onDidChange(() => allowEveryone(access));
  try {
    if (isWanted('server')) {
      reportRows(serverRows(await measureCalls(window)));
    }
    if (isWanted('diagnostics')) {
      reportRows(await measureDiagnostics(window));
    }
    if (isWanted('projects')) {
      reportRows(await measureProjects(window));
    }
    const toolTimes = isWanted('tools') ? await measureTools(window) : [];
    reportRows(toolRows(toolTimes));
    const result = { activationMs: activationMs(), toolTimes };
    writeFileSync(process.env['DUPLEX_BENCH_RESULT'] ?? '', JSON.stringify(result));
  } finally {
    answering.dispose();
  }
}

function allowEveryone(access: TestAccess): void {
  // Not inside the event that tells of the question: whoever asks is still asking.
  setImmediate(() => access.questions.list().forEach(({ askId }) => access.questions.answer({ askId, choice: 'allowSession' })));
}

function activationMs(): number {
  const [from = Number.NaN, to = Number.NaN] = ['duplex.activating', 'duplex.activated'].map(
    (name) => performance.getEntriesByName(name)[0]?.startTime,
  );
  return to - from;
}

async function measureCalls({ urls, token }: Pick<LoadOrder, 'urls' | 'token'>): Promise<Measurement[]> {
  const [floors, peer] = await Promise.all([startFloors(), startSdkPeer()]);
  try {
    return await load({ floors, peerUrl: peer.url, urls, token });
  } finally {
    floors.close();
    peer.close();
  }
}

async function load(order: LoadOrder): Promise<Measurement[]> {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'loadClient.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(order)], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    timeout: loadMs,
    maxBuffer: 50_000_000,
  });
  return JSON.parse(stdout) as Measurement[];
}
