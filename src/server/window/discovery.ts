import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type AppError, isAppError, messageOf } from '../../base/errors.ts';
import type { Event } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Log } from '../../base/log.ts';
import { type DiscoveryFile, discoveryFile } from '../../contract/bridgeFiles.ts';
import { atProcessEnd, isAlive } from '../../platform/processes/processLife.ts';
import { isOurs, ownFolder, sweepUnfinished, writeOwnFile } from '../../platform/files/ownFiles.ts';
import { isInsideFolder } from '../../platform/paths/pathReach.ts';
import { RealPaths } from '../../platform/paths/realPath.ts';
import { serverError } from '../errors/serverErrors.ts';
import type { SeenFolder } from '../seen/ports/editorPort.ts';
import type { ServerUrls } from '../wire/endpoints.ts';
import { bridgeLauncherPath } from './bridgeLauncher.ts';

export type DiscoveryState = { readonly kind: 'published'; readonly path: string } | { readonly kind: 'failed'; readonly error: AppError };

/** How long, in ms, to wait after a failure to write the file before the next attempt. */
const retryMs = 10_000;
/** How long, in ms, after another use or title of the window the file is written: both may change often. */
const useMs = 500;

/** The most characters of the window's title in the file that tells clients of the window. */
const maxTitle = 300;

/** How a window is used, which tells it from others with the same folder. */
export interface WindowUse {
  /** When the window last got the focus; `undefined` until it has had it. */
  lastUsedAt(): Date | undefined;
  title(): string;
  readonly onDidChange: Event<void>;
}

export interface WindowDiscoveryOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** The name of the window, for a person who chooses a window from a list. */
  readonly windowName: string;
  /** The absolute path that `resolveDuplexHome` returned. */
  readonly duplexHome: string;
  readonly folders: { list(): readonly SeenFolder[]; readonly onDidChange: Event<void> };
  readonly use?: WindowUse | undefined;
  readonly machine: string;
  readonly port: number;
  readonly urls: ServerUrls;
  /** The SHA-256 hash of the certificate; with TLS only. */
  readonly certificateSha256: string | undefined;
  /** The window token; it is read at every write, because it may have been rotated. */
  readonly token: () => string | undefined;
}

/** Keeps the discovery file of this window, which tells where it listens and which folders it has. */
export class WindowDiscovery implements Disposable {
  readonly #options: WindowDiscoveryOptions;
  readonly #publisher: DiscoveryPublisher;
  readonly #startedAt = new Date().toISOString();
  readonly #folders: Disposable;
  readonly #use: Disposable | undefined;
  #again: Disposable | undefined;
  #soon: Disposable | undefined;
  /** Removes the file when the process ends: a remote server that is told to end gives its windows no time to stop. */
  readonly #atEnd: Disposable;

  constructor(options: WindowDiscoveryOptions) {
    this.#options = options;
    this.#publisher = new DiscoveryPublisher(options.duplexHome, options.log);
    this.#atEnd = atProcessEnd(() => this.#publisher.removeSync());
    this.#folders = options.folders.onDidChange(() => this.#update());
    this.#use = options.use?.onDidChange(() => {
      this.#soon ??= options.clock.schedule(useMs, () => this.#update());
    });
  }

  /** Writes the file. A failure is only reported, because the window still serves clients that know its address. */
  async publish(): Promise<DiscoveryState> {
    try {
      await this.#publisher.publish(this.#content());
      await this.#publisher.cleanUp(this.#options.machine);
      return { kind: 'published', path: this.#publisher.path };
    } catch (error) {
      this.#options.log.error('The discovery file could not be written.', error);
      this.#tryAgain();
      const failure = isAppError(error) ? error : serverError('server.discovery', { reason: messageOf(error) }, { cause: error });
      return { kind: 'failed', error: failure };
    }
  }

  /** Removes the file synchronously, so that it also works while the process exits. */
  dispose(): void {
    this.#folders.dispose();
    this.#use?.dispose();
    this.#soon?.dispose();
    this.#again?.dispose();
    this.#atEnd.dispose();
    this.#publisher.removeSync();
  }

  /** Call it after `dispose`: resolves when nothing is being written any more. */
  settled(): Promise<void> {
    return this.#publisher.settled();
  }

  #update(): void {
    this.#soon?.dispose();
    this.#soon = undefined;
    this.#publisher.publish(this.#content()).catch((error: unknown) => {
      this.#options.log.error('The discovery file could not be updated.', error);
      this.#tryAgain();
    });
  }

  /** A file that is missing or has the old token makes the bridge miss this window, so it is written once that works again. */
  #tryAgain(): void {
    this.#again?.dispose();
    this.#again = this.#publisher.isRemoved ? undefined : this.#options.clock.schedule(retryMs, () => this.#update());
  }

  #content(): DiscoveryFile {
    const { machine, port, urls, certificateSha256, token, folders, windowName, use } = this.#options;
    const lastUsedAt = use?.lastUsedAt();
    return {
      version: 1,
      pid: process.pid,
      startedAt: this.#startedAt,
      machine,
      host: '127.0.0.1',
      port,
      ...(certificateSha256 === undefined ? {} : { certificateSha256 }),
      token: token() ?? '',
      urls,
      workspaceFolders: folders.list().map(({ name, path, uri }) => ({ name, path, uri })),
      name: windowName,
      ...(lastUsedAt !== undefined && { lastUsedAt: lastUsedAt.toISOString() }),
      ...(use !== undefined && { title: use.title().slice(0, maxTitle) }),
    };
  }
}

export interface DuplexHome {
  readonly path: string;
  /** The value of `DUPLEX_HOME`, if it is ignored because it points into a workspace folder: a repository could have set it. */
  readonly ignoredVariable: string | undefined;
}

/** Returns the folder that `DUPLEX_HOME` names, or `.duplex` in the home folder. */
export function resolveDuplexHome(variable: string | undefined, homeFolder: string, workspaceFolders: readonly string[]): DuplexHome {
  const standard = join(homeFolder, '.duplex');
  if (variable === undefined || variable === '') {
    return { path: standard, ignoredVariable: undefined };
  }
  const wanted = resolve(variable);
  const isUnsafe = !isAbsolute(variable) || (wanted !== standard && leadsIntoOneOf(wanted, workspaceFolders));
  return isUnsafe ? { path: standard, ignoredVariable: variable } : { path: wanted, ignoredVariable: undefined };
}

/** Whether a path leads into a folder, as it is written or through links; also when that cannot be told. */
function leadsIntoOneOf(path: string, folders: readonly string[]): boolean {
  const paths = new RealPaths();
  const real = paths.of(path);
  const isIn = (folder: string): boolean =>
    isInsideFolder(path, folder) || (real !== undefined && isInsideFolder(real, paths.of(folder) ?? folder));
  return real === undefined || folders.some(isIn);
}

/** The file of this window in `DUPLEX_HOME/windows`. It exists while the listener runs, and only its user can read it. */
export class DiscoveryPublisher {
  readonly #home: string;
  readonly #folder: string;
  readonly #log: Log;
  readonly #path: string;
  readonly #writes = new Sequencer();
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

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** Writes or replaces the file; a reader sees the old or the new content, never a part of it. */
  publish(content: DiscoveryFile): Promise<void> {
    return this.#writes.run(() => this.#write(content));
  }

  /** Removes the files of windows that are gone. Those of other machines and containers are left alone. */
  async cleanUp(machine: string): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      if (name.endsWith('.json') && path !== this.#path && (await isStale(path, machine))) {
        await rm(path, { force: true });
        this.#log.debug(`Removed the discovery file of a window that is gone: ${name}`);
      }
    }
    await sweepUnfinished(this.#folder).catch(() => undefined);
  }

  /** Removes the file synchronously, so that it also works while the process exits. */
  removeSync(): void {
    this.#isRemoved = true;
    try {
      rmSync(this.#path, { force: true });
    } catch (error) {
      this.#log.error('The discovery file could not be removed.', error);
    }
  }

  /** Call it after `removeSync`: resolves when a write that was under way has ended and was undone. */
  settled(): Promise<void> {
    return this.#writes.idle();
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
    // It is someone else's file, or it is being removed.
    return false;
  }
}

/** The command that a host launches to reach this editor. */
export interface BridgeConnection {
  readonly kind: 'bridge';
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Says what a host launches; the arguments are those of `resolveDuplexHome`. */
export function bridgeConnection(...[variable, homeFolder, workspaceFolders]: Parameters<typeof resolveDuplexHome>): BridgeConnection {
  const home = resolveDuplexHome(variable, homeFolder, workspaceFolders).path;
  const isStandard = home === resolveDuplexHome(undefined, homeFolder, []).path;
  // A host does not have the environment of this editor, so it is told the folder.
  return { kind: 'bridge', command: bridgeLauncherPath(home), env: isStandard ? {} : { DUPLEX_HOME: home } };
}
