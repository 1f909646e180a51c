import assert from 'node:assert/strict';
import { prepareProcess, testEnvironment, TestProcess } from '../../../../src/editor/tests/testProcess.ts';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import type { ProcessPlan } from '../../../../src/testRuns/testGround.ts';
import { repositoryRoot } from '../../../support/run/repository.mjs';
import { windowsDisk } from '../../platform/processes/support/windowsDisk.ts';

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
  const deadline = performance.now() + 15_000;
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

  it('takes with it what it leaves behind when it ends by itself (release)', async () => {
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

describe('A test runner on Windows', () => {
  const bin = 'C:\\repo\\node_modules\\.bin';
  const env = { SystemRoot: 'C:\\Windows', PathExt: '.EXE;.CMD', Path: 'C:\\nodejs' };
  const shim = readFileSync(path.join(repositoryRoot, 'test/fixtures/shims/cmd-shim-9.0.2/cli.cmd'), 'utf8');
  const files = { 'C:\\nodejs\\node.exe': '', [`${bin}\\cli.cmd`]: shim, 'C:\\repo\\node_modules\\tool\\bin\\cli.js': '' };
  const prepare = (args: readonly string[], disk: Readonly<Record<string, string>>): ReturnType<typeof prepareProcess> => {
    const launch = { kind: 'program', program: 'cli', args, usesPackages: true } as const;
    const plan = { launch, cwd: 'C:\\repo\\packages', commandLine: 'cli' } as unknown as ProcessPlan;
    return prepareProcess(plan, 'C:\\nodejs', { platform: 'win32', env, disk: windowsDisk(disk) });
  };

  it('is the program that its batch file starts, with every argument as it is', async () => {
    const start = await prepare(['-t', 'a & "b" %PATH%'], files);
    assert.equal(start.program, 'C:\\nodejs\\node.exe');
    assert.deepEqual(start.args, ['C:\\repo\\node_modules\\tool\\bin\\cli.js', '-t', 'a & "b" %PATH%']);
    assert.equal(start.isVerbatim, undefined);
  });

  it('is run by cmd.exe where it is another batch file, and then gets nothing that cmd.exe would interpret', async () => {
    const other = { [`${bin}\\cli.cmd`]: '@echo off\r\necho %*\r\n' };
    const start = await prepare(['-t', 'adds up'], other);
    assert.equal(start.program, 'C:\\Windows\\System32\\cmd.exe');
    assert.deepEqual(start.args, ['/d', '/s', '/c', `""${bin}\\cli.cmd" -t "adds up""`]);
    assert.deepEqual([start.isVerbatim, start.env['NoDefaultCurrentDirectoryInExePath']], [true, '1']);
    await assert.rejects(prepare(['-t', 'a & b'], other), { code: 'tests.unsafeFilter' });
  });

  it('of a script is one line for the shell, as it was written', async () => {
    const plan = { launch: { kind: 'shell', commandLine: 'vitest && tsc' }, cwd: 'C:\\repo', commandLine: '' } as unknown as ProcessPlan;
    const start = await prepareProcess(plan, 'C:\\nodejs', { platform: 'win32', env });
    assert.deepEqual([start.program, start.args, start.needsShell], ['vitest && tsc', [], true]);
  });
});
