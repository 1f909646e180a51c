import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { isRunning, untilGone } from './host/support.ts';

const url = pathToFileURL(path.resolve(import.meta.dirname, '../support/run/exitWithNpm.mjs')).href;
const script = `
  import { exitWithNpm } from ${JSON.stringify(url)};
  exitWithNpm(20);
  setInterval(() => {}, 1000);
  console.log(process.pid);`;

describe('What npm started', () => {
  const started: number[] = [];
  before(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });

  afterEach(async () => {
    const left = started.splice(0);
    left.forEach(end);
    await untilGone(left, 15_000);
  });

  it('ends when the shell that npm started it with is killed alone', async () => {
    const { shell, pid } = await start({ npm_lifecycle_event: 'start' });
    shell.kill('SIGKILL');
    assert.deepEqual(await untilGone([pid], 15_000), []);
  });

  it('goes on when somebody else started it, who may go first', async () => {
    const { shell, pid } = await start({ npm_lifecycle_event: undefined });
    shell.kill('SIGKILL');
    const witness = await start({ npm_lifecycle_event: 'start' });
    witness.shell.kill('SIGKILL');
    await untilGone([witness.pid], 15_000);
    assert.equal(await isRunning(pid), true);
  });

  async function start(more: Readonly<Record<string, string | undefined>>): Promise<{ shell: ChildProcess; pid: number }> {
    const both = await startInShell(more);
    started.push(both.pid);
    return both;
  }
});

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // As it should be.
  }
}

/** With more to do behind it, so that no shell makes way for what it starts. */
async function startInShell(more: Readonly<Record<string, string | undefined>>): Promise<{ shell: ChildProcess; pid: number }> {
  const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, script], {
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(shell.stdout), 'line')) as [string];
  return { shell, pid: Number(line) };
}
