import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Log } from '../../base/log.ts';
import { discoveryFile, type DiscoveryFile } from '../../contract/discoveryFile.ts';
import { isAlive } from '../../platform/livingProcess.ts';
import { isOurs, ownFolder, writeOwnFile } from '../../platform/ownFiles.ts';
import { isInsideFolder } from '../../platform/pathInside.ts';

export interface DuplexHome {
  readonly path: string;
  /** The `DUPLEX_HOME` variable points into a workspace folder: a repository could have set it. */
  readonly ignoredVariable: string | undefined;
}

/** `DUPLEX_HOME`, or `.duplex` in the home folder. */
export function resolveDuplexHome(variable: string | undefined, homeFolder: string, workspaceFolders: readonly string[]): DuplexHome {
  const standard = join(homeFolder, '.duplex');
  if (variable === undefined || variable === '') {
    return { path: standard, ignoredVariable: undefined };
  }
  const wanted = resolve(variable);
  const isUnsafe = !isAbsolute(variable) || (wanted !== standard && workspaceFolders.some((folder) => isInsideFolder(wanted, folder)));
  return isUnsafe ? { path: standard, ignoredVariable: variable } : { path: wanted, ignoredVariable: undefined };
}

/** This window's file under `DUPLEX_HOME/windows`: there while the listener runs, readable by its user only. */
export class DiscoveryPublisher {
  readonly #home: string;
  readonly #folder: string;
  readonly #log: Log;
  readonly #path: string;
  #queue: Promise<unknown> = Promise.resolve();
  #isRemoved = false;

  constructor(home: string, log: Log) {
    this.#home = home;
    this.#folder = join(home, 'windows');
    this.#log = log;
    this.#path = join(this.#folder, `${randomUUID()}.json`);
  }

  get path(): string {
    return this.#path;
  }

  /** Writes or replaces the file; a reader sees the old or the new one, never half of one. */
  publish(content: DiscoveryFile): Promise<void> {
    const published = this.#queue.then(() => this.#write(content));
    this.#queue = published.catch(() => undefined);
    return published;
  }

  /** Files whose window is gone. Those of another machine or container are none of our business. */
  async cleanUp(machine: string): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      if (name.endsWith('.json') && path !== this.#path && (await isStale(path, machine))) {
        await rm(path, { force: true });
        this.#log.debug(`Removed the discovery file of a window that is gone: ${name}`);
      }
    }
  }

  /** Synchronous, so that it also works while the process exits. */
  removeSync(): void {
    this.#isRemoved = true;
    try {
      rmSync(this.#path, { force: true });
    } catch (error) {
      this.#log.error('The discovery file could not be removed.', error);
    }
  }

  /** After `removeSync`: resolves once a write that was under way is over and taken back. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  async #write(content: DiscoveryFile): Promise<void> {
    if (this.#isRemoved) {
      return;
    }
    await ownFolder(this.#home);
    await ownFolder(this.#folder);
    await writeOwnFile(this.#path, JSON.stringify(content, undefined, 2), 0o600);
    this.#removeAgainIfGone();
  }

  #removeAgainIfGone(): void {
    if (this.#isRemoved) {
      this.removeSync();
    }
  }
}

async function isStale(path: string, machine: string): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || !isOurs(stats)) {
      return false;
    }
    const content = discoveryFile.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return content.success && content.data.machine === machine && !isAlive(content.data.pid);
  } catch {
    // Someone else's file, or one that is being removed.
    return false;
  }
}
