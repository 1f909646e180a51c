import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgramRequest, type ProgramResult, ProgramThread, runProgram } from '../../../../src/platform/processes/runProgram.ts';
import { workThread } from '../../../support/workThread.ts';

const { signal: never } = new AbortController();

/** A program of one line of JavaScript. */
function script(text: string, changes: Partial<ProgramRequest> = {}): ProgramRequest {
  return { program: process.execPath, args: ['-e', text], cwd: tmpdir(), maxBytes: 1_000_000, timeoutMs: 20_000, ...changes };
}

const writesAll = "process.stdin.pipe(process.stdout); process.stderr.write('loud'); process.exitCode = 3";
const waitsForever = (file: string): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;

describe('Programs run from a thread of their own', () => {
  let programs: ProgramThread;
  let folder: string;
  beforeEach(async () => {
    programs = new ProgramThread(workThread);
    folder = await mkdtemp(join(tmpdir(), 'duplex-apart-'));
  });
  afterEach(async () => {
    programs.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** The process of a program that waits. */
  const started = async (file: string): Promise<number> => {
    for (;;) {
      const pid = Number(await readFile(file, 'utf8').catch(() => ''));
      if (pid > 0) {
        return pid;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const isGone = async (pid: number): Promise<boolean> => {
    for (let round = 0; round < 500; round += 1) {
      try {
        process.kill(pid, 0);
      } catch {
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return false;
  };

  it('end as they do otherwise, several at once', async () => {
    const requests = [
      script(writesAll, { input: 'héllo' }),
      script(writesAll, { input: 'x'.repeat(200_000) }),
      script("process.stdout.write('y'.repeat(100_000))", { maxBytes: 10 }),
      script('process.stdout.write(process.env.SAID)', { env: { SAID: 'word' } }),
      script('', {}),
    ];
    const plainly = (results: readonly ProgramResult[]): unknown =>
      results.map(({ output, ...rest }) => ({ ...rest, output: String(output) }));
    const apart = await Promise.all(requests.map((request) => programs.run(request, never)));
    assert.ok(apart.every(({ output }) => Buffer.isBuffer(output)));
    assert.deepEqual(plainly(apart), plainly(await Promise.all(requests.map((request) => runProgram(request, never)))));
  });

  it('have no exit code once their output was cut, whether they were ended or had ended by themselves just before', async () => {
    const short = script("process.stdout.write('y'.repeat(20)); process.exitCode = 3", { maxBytes: 10 });
    const endless = script("setInterval(() => process.stdout.write('y'.repeat(20)), 1)", { maxBytes: 10 });
    for (const request of [short, short, short, endless]) {
      const result = await programs.run(request, never);
      assert.deepEqual(
        { ...result, output: String(result.output) },
        { exitCode: null, output: 'y'.repeat(10), errorText: '', isCut: true },
      );
    }
  });

  it('fail as they do otherwise: not there, too slow, no longer wanted', async () => {
    await assert.rejects(programs.run(script('', { program: '/no/such/program' }), never), { code: 'ENOENT' });
    await assert.rejects(programs.run(script('setInterval(() => {}, 1000)', { timeoutMs: 50 }), never), { code: 'program.tooSlow' });
    const controller = new AbortController();
    const file = join(folder, 'pid');
    const running = programs.run(script(waitsForever(file)), controller.signal);
    const pid = await started(file);
    controller.abort(new Error('gone'));
    await assert.rejects(running, { message: 'gone' });
    assert.ok(await isGone(pid));
    await assert.rejects(programs.run(script(''), controller.signal), { message: 'gone' });
  });

  it('run without the thread where it cannot begin', async () => {
    const alone = new ProgramThread(join(folder, 'missing.mjs'));
    try {
      const { exitCode, output } = await alone.run(script("process.stdout.write('there')"), never);
      assert.deepEqual([exitCode, String(output)], [0, 'there']);
      await assert.rejects(alone.run(script('', { program: '/no/such/program' }), never), { code: 'ENOENT' });
    } finally {
      alone.dispose();
    }
  });

  it('end with their owner', async () => {
    const file = join(folder, 'pid');
    const running = programs.run(script(waitsForever(file)), never);
    const pid = await started(file);
    programs.dispose();
    await assert.rejects(running, /has ended/);
    assert.ok(await isGone(pid));
    await assert.rejects(programs.run(script(''), never), /has ended/);
  });

  it('are started without this thread, which would wait for the system meanwhile', async () => {
    const begun: string[] = [];
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'PROCESSWRAP') {
          begun.push(type);
        }
      },
    }).enable();
    try {
      await programs.run(script(''), never);
      assert.deepEqual(begun, []);
      await runProgram(script(''), never);
      assert.deepEqual(begun, ['PROCESSWRAP'], 'as it is otherwise');
    } finally {
      hook.disable();
    }
  });
});
