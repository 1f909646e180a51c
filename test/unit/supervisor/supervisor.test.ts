import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { silentLog } from '../../../src/base/log.ts';
import { FrameDecoder, encodeFrame, fromSupervisor } from '../../../src/contract/supervisorMessages.ts';
import { SupervisorClient } from '../../../src/host/processes/supervisorClient.ts';
import type { SupervisedChild } from '../../../src/host/processes/supervisedChild.ts';
import { hasCode } from '../../../src/base/errors.ts';
import { isRunning, supervisorLaunch, untilGone } from '../host/support.ts';

const node = process.execPath;
const cwd = process.cwd();

describe('A supervised process', () => {
  let client: SupervisorClient;
  beforeEach(async () => {
    client = new SupervisorClient(await supervisorLaunch(), silentLog);
  });
  afterEach(() => client.stop());

  const start = (script: string, ...args: string[]): SupervisedChild =>
    client.start({ command: node, args: ['-e', script, ...args], env: {}, cwd });

  it('passes its lines on and is told what is written', async () => {
    const child = start('process.stdin.on("data", (data) => process.stdout.write(data));');
    const line = nextLine(child);
    await child.write(Buffer.from('hello, supervisor\n'));
    assert.equal((await line).toString('utf8'), 'hello, supervisor');
    await child.stop();
    assert.deepEqual(await child.exited, { kind: 'stopped', lastErrorLines: [] });
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
    void deaf.write(Buffer.alloc(8 * 1024 * 1024)).then(() => (isWritten = true));
    const other = start('process.stdin.on("data", (data) => process.stdout.write(data));');
    const line = nextLine(other);
    await other.write(Buffer.from('x\n'));
    await line;
    assert.equal(isWritten, false);
    await assert.rejects(deaf.write(Buffer.alloc(60 * 1024 * 1024)), (error) => hasCode(error, 'host.serverNotReading'));
  });

  it('passes a message of many megabytes whole in both directions', async () => {
    const child = start('process.stdin.pipe(process.stdout);');
    const length = 12 * 1024 * 1024;
    const line = nextLine(child);
    await child.write(Buffer.concat([Buffer.alloc(length, 'x'), Buffer.from('\n')]));
    assert.equal((await line).length, length);
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
    await child.write(Buffer.from('go\n'));
    assert.deepEqual(await child.exited, { kind: 'exited', code: null, signal: 'SIGKILL', lastErrorLines: [] });
    await child.ended;
    const expected = process.platform === 'linux' ? [] : pids.slice(1);
    assert.deepEqual(await untilGone(pids, 5_000), expected);
  });

  it('that ignores everything is gone in under three seconds', async () => {
    const child = start('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up");');
    await nextLine(child);
    const begin = performance.now();
    await child.stop();
    assert.ok(performance.now() - begin < 15_000);
  });
});

describe('A supervisor', () => {
  it('that gets a signal ends its servers first', async () => {
    const { command, args, env } = await supervisorLaunch();
    const supervisor = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const pid = await startServerBehind(supervisor);
    supervisor.kill('SIGTERM');
    await once(supervisor, 'exit');
    assert.equal(await isRunning(pid), false);
  });

  it('that is spoken to in another language leaves', async () => {
    const { command, args, env } = await supervisorLaunch();
    const supervisor = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    supervisor.stdin.write('GET / HTTP/1.1\r\n\r\n');
    const [code] = (await once(supervisor, 'exit')) as [number];
    assert.equal(code, 0);
  });
});

function nextLine(child: SupervisedChild): Promise<Buffer> {
  return new Promise((resolve) => {
    const listening = child.onLine((bytes) => {
      listening.dispose();
      resolve(Buffer.from(bytes));
    });
  });
}

async function startServerBehind(supervisor: ChildProcess): Promise<number> {
  const start = encodeFrame({ type: 'start', child: '1', command: node, args: ['-e', 'setInterval(() => {}, 1000)'], env: {}, cwd });
  start.forEach((piece) => supervisor.stdin?.write(piece));
  const decoder = new FrameDecoder();
  for await (const chunk of supervisor.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    for (const frame of decoder.push(chunk as Buffer)) {
      const message = fromSupervisor.parse(frame.header);
      if (message.type === 'started') {
        return message.pid;
      }
    }
  }
  throw new Error('It did not start.');
}
