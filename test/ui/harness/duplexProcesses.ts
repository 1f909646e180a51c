import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { discoveryFile, type DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import type { WorkbenchFolders } from './workbench.ts';

export interface OpenWindow extends DiscoveryFile {
  readonly file: string;
}

/** Every window that has announced itself, by its discovery file. */
export async function announcedWindows({ home }: WorkbenchFolders): Promise<readonly OpenWindow[]> {
  const folder = path.join(home, 'windows');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const found = await Promise.all(
    names.map(async (file) => {
      const text = await readFile(path.join(folder, file), 'utf8').catch(() => undefined);
      return text === undefined ? [] : [{ ...discoveryFile.parse(JSON.parse(text)), file }];
    }),
  );
  return found.flat();
}

/** The programs started for this workspace and those that look after them. Their paths are this run's own. */
export async function startedProcesses({ workspace, data }: WorkbenchFolders): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const own = await Promise.all(pids.map(async (pid) => isStarted(await commandLine(pid), workspace ?? data, data)));
  return pids.filter((_, index) => own[index]);
}

function isStarted(args: readonly string[], workspace: string, data: string): boolean {
  return args.some(
    (arg) => arg === path.join(workspace, 'tools/demoServer.mjs') || (arg.startsWith(data) && arg.endsWith('/dist/supervisor.js')),
  );
}

/** Empty for one that is gone, or dead and only waits to be collected. */
async function commandLine(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0');
}

export async function eventually<T>(what: string, milliseconds: number, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    if (performance.now() > deadline) {
      throw new Error(`Still waiting for ${what} after ${milliseconds} ms.`);
    }
    await sleep(50);
  }
}
