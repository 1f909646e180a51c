import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { encodeMessage, maxSupervisorLine, type ToSupervisor } from '../../../src/contract/supervisorMessages.ts';
import { familyOf } from '../../../src/platform/processes/processTree.ts';
import { isRunning, supervisorLaunch } from '../host/support.ts';

describe('A supervisor', () => {
  type Running = ChildProcessByStdio<Writable, Readable, null>;

  async function begin(): Promise<Running> {
    const { command, args, env } = await supervisorLaunch();
    return spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  }

  const tell = (supervisor: Running, ...messages: ToSupervisor[]): void =>
    messages.forEach((message) => supervisor.stdin.write(encodeMessage(message)));

  /** It leads no group of its own: only what the supervisor was told leads to it. */
  async function startServer(marker: string): Promise<number> {
    const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up");'], {
      env: { MARK: marker },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    return server.pid ?? 0;
  }

  it('that gets a signal ends the servers first', async () => {
    const [supervisor, marker] = [await begin(), randomUUID()];
    const pid = await startServer(marker);
    tell(supervisor, { type: 'expect', child: '1', marker: 'NOT=there' }, { type: 'watch', child: '1', pid });
    tell(supervisor, { type: 'expect', child: '2', marker: 'NOT=there' }, { type: 'stop', child: '2' });
    await once(supervisor.stdout, 'data'); // it has read what it was told
    supervisor.kill('SIGTERM');
    await once(supervisor, 'exit');
    assert.equal(await isRunning(pid), false);
  });

  it('ends a server that was started and never named, when the window is gone', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const [supervisor, marker] = [await begin(), randomUUID()];
    const pid = await startServer(marker);
    tell(supervisor, { type: 'expect', child: '1', marker: `MARK=${marker}` });
    supervisor.stdin.end();
    await once(supervisor, 'exit');
    assert.equal(await isRunning(pid), false);
  });

  it('leaves a process alone that only has the number of one that is gone', async () => {
    const [supervisor, marker] = [await begin(), randomUUID()];
    const pid = await startServer(marker);
    tell(
      supervisor,
      { type: 'expect', child: '1', marker: 'NOT=there' },
      { type: 'watch', child: '1', pid },
      { type: 'exited', child: '1' },
    );
    supervisor.stdin.end();
    await once(supervisor, 'exit');
    assert.equal(await isRunning(pid), true);
    process.kill(pid, 'SIGKILL');
  });

  for (const words of ['GET / HTTP/1.1\r\n\r\n', 'x'.repeat(maxSupervisorLine + 1)]) {
    it(`that is spoken to in another language leaves: ${words.slice(0, 12).trim()}`, async () => {
      const supervisor = await begin();
      supervisor.stdin.write(words);
      const [code] = (await once(supervisor, 'exit')) as [number];
      assert.equal(code, 0);
    });
  }

  it('takes no process of the system for the family of a server whose number it does not know', () => {
    assert.deepEqual(familyOf({ pid: 0, marker: `MARK=${randomUUID()}`, hasExited: true }), []);
  });
});
