import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync, truncateSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { AuditLog } from '../../src/consent/audit/auditLog.ts';
import { type ChainVerdict, readAudit } from '../../src/consent/audit/auditReading.ts';
import { RotatingLines } from '../../src/platform/files/rotatingLines.ts';
import { repositoryRoot } from '../support/run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';

const limits = { maxBytes: 20_000, maxParts: 100 };
const record = {
  principal: 'chat',
  peer: 'demo',
  action: 'callTool',
  subject: 'echo',
  decidedBy: 'remembered',
  outcome: 'allowed',
} as const;

describe('The record of windows that write a lot at once', () => {
  let folder: string;
  let file: string;
  let lines: RotatingLines;

  beforeEach(() => {
    folder = createTemporaryFolder();
    file = path.join(folder, 'audit.jsonl');
    lines = new RotatingLines(file, limits);
  });
  afterEach(async () => {
    await lines.rest();
    await removeTemporaryFolder(folder);
  });

  const verdict = async (): Promise<ChainVerdict> => (await readAudit(await lines.read(), 'key', () => Promise.resolve())).verdict;
  /** A window that writes so many lines, one by one. */
  const startWindow = (count: number): ChildProcess => {
    const source = (name: string): string => JSON.stringify(path.join(repositoryRoot, 'src', name));
    const program = `
      import { systemClock } from ${source('base/clock.ts')};
      import { AuditLog } from ${source('consent/audit/auditLog.ts')};
      import { RotatingLines } from ${source('platform/files/rotatingLines.ts')};
      const storage = new RotatingLines(${JSON.stringify(file)}, ${JSON.stringify(limits)});
      const log = new AuditLog({ storage, key: () => 'key', clock: systemClock, onFailure: (error) => console.error(error) });
      for (let number = 0; number < ${count}; number += 1) {
        await log.write(${JSON.stringify(record)});
      }`;
    return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { cwd: repositoryRoot, stdio: 'inherit' });
  };

  it('is one chain that holds', async () => {
    const windows = [startWindow(300), startWindow(300)];
    const codes = await Promise.all(windows.map(async (window) => (await once(window, 'exit'))[0] as number));
    assert.deepEqual(codes, [0, 0]);
    assert.deepEqual(await verdict(), { kind: 'holds', count: 600 });
  });

  it('holds also after one of them was killed in the middle, and goes on from there', async () => {
    const window = startWindow(1_000_000);
    try {
      while ((await lines.parts()).length < 3) {
        await sleep(5);
      }
    } finally {
      window.kill('SIGKILL');
    }
    await once(window, 'exit');
    await lookAlive(`${file}.lock`);
    const before = await verdict();
    assert.equal(before.kind, 'holds');
    const log = new AuditLog({ storage: lines, key: () => 'key', clock: systemClock, onFailure: () => undefined });
    await log.write(record);
    assert.deepEqual(await verdict(), { kind: 'holds', count: ('count' in before ? before.count : Number.NaN) + 1 });
  });

  const takeAway = async (isInUse: boolean): Promise<void> => {
    const log = new AuditLog({ storage: lines, key: () => 'key', clock: systemClock, onFailure: () => undefined });
    await log.write(record);
    const { size } = statSync(file);
    await log.write({ ...record, subject: 'hidden' });
    if (!isInUse) {
      await lines.rest();
    }
    truncateSync(file, size);
    await log.write(record);
    await log.write(record);
    const { parts } = await lines.read();
    const actions = parts.flatMap((part) => part.lines.map((line) => (JSON.parse(line) as { action: string }).action));
    assert.deepEqual(actions, ['callTool', 'findChanged', 'callTool', 'callTool']);
    assert.deepEqual(await verdict(), { kind: 'holds', count: 4 });
  };

  it('has a line of it when somebody takes last lines away while a window writes, which the chain does not show', () => takeAway(true));

  it('has a line of it when somebody takes last lines away before a window writes again', () => takeAway(false));

  it('refuses the very next thing that acts when it cannot be written any more', async () => {
    const log = new AuditLog({ storage: lines, key: () => 'key', clock: systemClock, onFailure: () => undefined });
    await log.write(record);
    await log.write(record);
    await fs.rm(file);
    await fs.mkdir(file);
    await assert.rejects(log.write(record), { code: 'audit.notWritten' });
  });
});

/** Its holder has just died: only that its process is gone can tell. */
async function lookAlive(lock: string): Promise<void> {
  const later = new Date(Date.now() + 3_600_000);
  for (const owner of await fs.readdir(lock).catch(() => [])) {
    await fs.utimes(path.join(lock, owner), later, later);
  }
}
