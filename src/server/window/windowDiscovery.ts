import { isAppError, messageOf, type AppError } from '../../base/errors.ts';
import type { Event } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { DiscoveryFile } from '../../contract/discoveryFile.ts';
import { atProcessEnd } from '../../platform/processEnd.ts';
import { serverError } from '../errors/serverErrors.ts';
import type { WorkspaceFolder } from '../seen/ports/editorPort.ts';
import type { ServerUrls } from '../wire/serverUrls.ts';
import { DiscoveryPublisher } from './discoveryFiles.ts';

export type DiscoveryState = { readonly kind: 'published'; readonly path: string } | { readonly kind: 'failed'; readonly error: AppError };

export interface WindowDiscoveryOptions {
  readonly log: Log;
  /** The window's name, for a person who picks one from a list. */
  readonly windowName: string;
  /** Absolute; from `resolveDuplexHome`. */
  readonly duplexHome: string;
  readonly folders: { list(): readonly WorkspaceFolder[]; readonly onDidChange: Event<void> };
  readonly machine: string;
  readonly port: number;
  readonly urls: ServerUrls;
  /** With TLS only. */
  readonly certificateSha256: string | undefined;
  /** Asked at every writing: it may have been rotated. */
  readonly token: () => string | undefined;
}

/** Tells others where this window listens, and with which folders, for as long as it does. */
export class WindowDiscovery implements Disposable {
  readonly #options: WindowDiscoveryOptions;
  readonly #publisher: DiscoveryPublisher;
  readonly #startedAt = new Date().toISOString();
  readonly #folders: Disposable;
  /** An editor's server that is told to end gives its windows no time to stop. */
  readonly #atEnd: Disposable;

  constructor(options: WindowDiscoveryOptions) {
    this.#options = options;
    this.#publisher = new DiscoveryPublisher(options.duplexHome, options.log);
    this.#atEnd = atProcessEnd(() => this.#publisher.removeSync());
    this.#folders = options.folders.onDidChange(() => this.#update());
  }

  /** A window without a discovery file still serves clients that know its address. */
  async publish(): Promise<DiscoveryState> {
    try {
      await this.#publisher.publish(this.#content());
      await this.#publisher.cleanUp(this.#options.machine);
      return { kind: 'published', path: this.#publisher.path };
    } catch (error) {
      this.#options.log.error('The discovery file could not be written.', error);
      const failure = isAppError(error) ? error : serverError('server.discovery', { reason: messageOf(error) }, { cause: error });
      return { kind: 'failed', error: failure };
    }
  }

  /** At once, and synchronously: it also works while the process exits. */
  dispose(): void {
    this.#folders.dispose();
    this.#atEnd.dispose();
    this.#publisher.removeSync();
  }

  /** After `dispose`: resolves once nothing of it is being written any more. */
  settled(): Promise<void> {
    return this.#publisher.settled();
  }

  #update(): void {
    this.#publisher.publish(this.#content()).catch((error: unknown) => {
      this.#options.log.error('The discovery file could not be updated.', error);
    });
  }

  #content(): DiscoveryFile {
    const { machine, port, urls, certificateSha256, token, folders, windowName } = this.#options;
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
    };
  }
}
