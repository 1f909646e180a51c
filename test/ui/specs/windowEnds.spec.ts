import assert from 'node:assert/strict';
import process from 'node:process';
import { announcedWindows, eventually } from '../harness/duplexProcesses.ts';
import { newcomerWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';

/** The last one of its window, which has no server afterwards. */
describe('A window whose server ends', () => {
  const workbench = useSharedWorkbench(newcomerWindow);

  it('leaves no window announced when the editor’s server is told to end', async () => {
    const { folders, server } = workbench();
    assert.equal((await announcedWindows(folders)).length, 1);
    // As a service manager or a container does it: everybody is told at once.
    process.kill(-server.pid, 'SIGTERM');
    await server.ended;
    await eventually('the end of the announcement', 15_000, async () =>
      (await announcedWindows(folders)).length === 0 ? true : undefined,
    );
  });
});
