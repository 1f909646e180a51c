import assert from 'node:assert/strict';
import { testEnvironment, TestProcess } from '../../../../src/editor/tests/testProcess.ts';

/** Starts a child that starts another, which ignores polite requests; says both pids. */
const family = `
  const { spawn } = require('node:child_process');
  const grandchild = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready');"], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  grandchild.stdout.once('data', () => console.log('pids ' + process.pid + ' ' + grandchild.pid));
  setInterval(() => {}, 1000);
`;

function run(script: string): { readonly process: TestProcess; readonly output: () => string; readonly pids: Promise<readonly number[]> } {
  let output = '';
  let found: (pids: readonly number[]) => void;
  const pids = new Promise<readonly number[]>((resolve) => (found = resolve));
  const start = {
    program: process.execPath,
    args: ['-e', script],
    cwd: import.meta.dirname,
    env: testEnvironment(process.env, process.env['PATH'] ?? ''),
  };
  const started = new TestProcess(start, (text) => {
    output += text;
    const match = /pids (\d+) (\d+)\n/.exec(output);
    if (match !== null) {
      found([Number(match[1]), Number(match[2])]);
    }
  });
  return { process: started, output: () => output, pids };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (pids.some(isAlive)) {
    assert.ok(performance.now() < deadline, 'a process is left');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('A process that runs tests', () => {
  it('ends with its exit code and all it wrote, to both outputs', async () => {
    const { process: started, output } = run(`process.stdout.write('ä1\\n'); process.stderr.write('ö2\\n'); process.exitCode = 3;`);
    assert.deepEqual(await started.ended, { kind: 'exited', exitCode: 3 });
    assert.deepEqual(output().split('\n').sort(), ['', 'ä1', 'ö2']);
  });

  it('ends with everything it started when it is cancelled, however stubborn', async () => {
    const { process: started, pids } = run(family);
    const family_ = await pids;
    started.cancel();
    assert.deepEqual(await started.ended, { kind: 'cancelled' });
    await untilGone(family_);
  });

  it('takes with it what it leaves behind when it ends by itself', async () => {
    const { process: started, pids } = run(`${family}; setTimeout(() => process.exit(0), 1000);`);
    const family_ = await pids;
    assert.deepEqual(await started.ended, { kind: 'exited', exitCode: 0 });
    await untilGone(family_);
  });

  it('is gone at once with everything it started when the window closes', async () => {
    const { process: started, pids } = run(family);
    const family_ = await pids;
    started.dispose();
    await untilGone(family_);
    assert.deepEqual(await started.ended, { kind: 'cancelled' });
  });

  it('says when it could not be started', async () => {
    const started = new TestProcess({ program: '/nowhere/tests', args: [], cwd: '/', env: {} }, () => undefined);
    const end = await started.ended;
    assert.equal(end.kind, 'failedToStart');
  });
});

describe('The environment of tests', () => {
  it('is the editor’s own without the editor’s private variables and without keys', () => {
    const own = {
      HOME: '/home/me',
      Path: '/bin',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: 'x',
      ANTHROPIC_API_KEY: 'secret',
      DUPLEX_CLIENT_TOKEN: 'secret',
      NODE_TEST_CONTEXT: 'child-v8',
      DATABASE_URL: 'db',
      GONE: undefined,
    };
    assert.deepEqual(testEnvironment(own, '/bin:/usr/bin'), { HOME: '/home/me', DATABASE_URL: 'db', Path: '/bin:/usr/bin' });
  });
});
