import assert from 'node:assert/strict';
import { hasCode } from '../../../../src/base/errors.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { ServerProcess } from '../../../../src/host/processes/serverProcess.ts';
import { ErrorOutput } from '../../../../src/host/processes/supervisedChild.ts';
import { SupervisorClient } from '../../../../src/host/processes/supervisorClient.ts';
import { isRunning, supervisorLaunch, untilGone } from '../support.ts';

const node = process.execPath;
const cwd = process.cwd();

describe('A supervised process', () => {
  let client: SupervisorClient;
  beforeEach(async () => {
    client = new SupervisorClient(await supervisorLaunch(), silentLog);
  });
  afterEach(() => client.stop());

  const start = (script: string, ...args: string[]): ServerProcess =>
    client.start({ command: node, args: ['-e', script, ...args], env: {}, cwd });

  it('passes its lines on and is told what is written', async () => {
    const child = start('process.stdin.on("data", (data) => process.stdout.write(data));');
    const line = nextLine(child);
    await child.write('hello, supervisor\n');
    assert.equal((await line).toString('utf8'), 'hello, supervisor');
    await child.stop();
    assert.deepEqual(await child.exited, { kind: 'stopped', lastErrorLines: [] });
  });

  it('gets all that is written in one turn, in order, also when it is stopped in the same turn', async () => {
    const script = 'let all = ""; process.stdin.on("data", (data) => (all += data)).on("end", () => console.log(JSON.stringify(all)));';
    const child = start(script);
    await child.started;
    const line = nextLine(child);
    void Promise.all(['a\n', 'b\n', 'c\n'].map((text) => child.write(text)));
    await child.stop();
    assert.equal(JSON.parse((await line).toString('utf8')), 'a\nb\nc\n');
  });

  it('that ends by itself is reported with its code and last lines', async () => {
    const child = start('console.error("oh"); process.exitCode = 5;');
    assert.deepEqual(await child.exited, { kind: 'exited', code: 5, signal: null, lastErrorLines: ['oh'] });
    await child.ended;
  });

  it('that cannot be started says so and leaves nothing', async () => {
    const child = client.start({ command: '/nonexistent/program', args: [], env: {}, cwd });
    await assert.rejects(child.started, (error) => hasCode(error, 'host.spawnFailed'));
    await child.ended;
    const impossible = client.start({ command: node, args: ['a\0b'], env: {}, cwd });
    await assert.rejects(impossible.started, (error) => hasCode(error, 'host.spawnFailed'));
  });

  it('that does not read makes its writer wait, and others go on', async () => {
    const deaf = start('setInterval(() => {}, 1000);');
    let isWritten = false;
    void deaf.write('x'.repeat(8 * 1024 * 1024)).then(() => (isWritten = true));
    const other = start('process.stdin.on("data", (data) => process.stdout.write(data));');
    const line = nextLine(other);
    await other.write('x\n');
    await line;
    assert.equal(isWritten, false);
    await assert.rejects(deaf.write('x'.repeat(60 * 1024 * 1024)), (error) => hasCode(error, 'host.serverNotReading'));
  });

  it('passes a message of many megabytes whole in both directions', async () => {
    const child = start('process.stdin.pipe(process.stdout);');
    const length = 12 * 1024 * 1024;
    const line = nextLine(child);
    await child.write(`${'x'.repeat(length)}\n`);
    assert.equal((await line).length, length);
  });

  it('that ends right after it has spoken is heard to its last word', async () => {
    const child = start('process.stdout.write("x".repeat(60_000) + "\\n" + "last\\n", () => process.exit(0));');
    const heard: number[] = [];
    const listening = child.onLine((line) => heard.push(line.length));
    await child.ended;
    listening.dispose();
    assert.deepEqual(heard, [60_000, 4]);
  });

  it('that crashes takes what it started with it, even what left its group and session', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
      const pids = [false, true].map((detached) => spawn(process.execPath, ['-e', deaf], { stdio: 'ignore', detached }).pid);
      console.log(JSON.stringify(pids));
      process.stdin.once('data', () => process.kill(process.pid, 'SIGKILL'));`;
    const child = start(script);
    const pids = JSON.parse((await nextLine(child)).toString('utf8')) as number[];
    assert.deepEqual(await Promise.all(pids.map(isRunning)), [true, true]);
    await child.write('go\n');
    assert.deepEqual(await child.exited, { kind: 'exited', code: null, signal: 'SIGKILL', lastErrorLines: [] });
    await child.ended;
    const expected = process.platform === 'linux' ? [] : pids.slice(1);
    assert.deepEqual(await untilGone(pids, 5_000), expected);
  });

  it('that ignores everything is gone in under three seconds (release)', async () => {
    const child = start('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up");');
    await nextLine(child);
    const begin = performance.now();
    await child.stop();
    assert.ok(performance.now() - begin < 15_000);
  });
});

function nextLine(child: ServerProcess): Promise<Buffer> {
  return new Promise((resolve) => {
    const listening = child.onLine((bytes) => {
      listening.dispose();
      resolve(bytes);
    });
  });
}

describe('Standard error', () => {
  it('passes lines on, thins out a flood, keeps the last ones and slows the writer', () => {
    let now = 0;
    const output = new ErrorOutput(() => now);
    const first = output.push(Buffer.from('one\ntwo\n'));
    assert.deepEqual(first, { lines: ['one', 'two'], dropped: 0, pauseMs: 0 });

    const flood = Array.from({ length: 100_000 }, (_, index) => `line ${index} ${'x'.repeat(40)}\n`).join('');
    const second = output.push(Buffer.from(flood));
    assert.deepEqual([second.lines.length, second.dropped, second.pauseMs], [198, 99_802, 1_000]);
    assert.deepEqual([output.lastLines().length, output.lastLines().at(-1)?.slice(0, 10)], [50, 'line 99999']);

    assert.deepEqual(output.push(Buffer.from('lost\n')).lines, []);
    now = 1_000;
    assert.deepEqual(output.push(Buffer.from('later\n')), { lines: ['later'], dropped: 1, pauseMs: 0 });
  });

  it('without line breaks is cut, not collected', () => {
    const output = new ErrorOutput(() => 0);
    const { lines } = output.push(Buffer.alloc(5_000, 'x'));
    assert.deepEqual(
      [...lines, ...output.end().lines].map((line) => line.length),
      [2_000, 2_000, 1_000],
    );
  });
});
