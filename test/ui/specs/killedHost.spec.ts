import assert from 'node:assert/strict';
import process from 'node:process';
import { announcedWindows, eventually, startedProcesses } from '../harness/duplexProcesses.ts';
import { newcomerWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { DuplexWindow } from '../pages/duplexWindow.ts';

const maxMs = 30_000;

describe('An extension host that is killed', () => {
  const workbench = useSharedWorkbench(newcomerWindow);
  let killed: number | undefined;

  it('takes its servers with it', async () => {
    const window = new DuplexWindow(workbench().page);
    await window.open();
    await window.untilRunning('demo');
    const started = await startedProcesses(workbench().folders);
    assert.equal(started.length, 2, 'the server and its supervisor');
    const [announced] = await announcedWindows(workbench().folders);
    assert.ok(announced);
    killed = announced.pid;
    process.kill(killed, 'SIGKILL');
    // VS Code may start a new extension host, and that one the server again: only the old processes must be gone.
    await eventually('the end of what the killed one had started', maxMs, async () => {
      const left = await startedProcesses(workbench().folders);
      return started.some((pid) => left.includes(pid)) ? undefined : true;
    });
  });

  it('is no longer announced once a new one is there', async () => {
    await workbench().reload();
    await eventually('a new announcement in place of the old', 60_000, async () => {
      const windows = await announcedWindows(workbench().folders);
      return windows.length === 1 && windows.every(({ pid }) => pid !== killed) ? true : undefined;
    });
  });
});
