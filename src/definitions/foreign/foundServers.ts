import { type FSWatcher, type Stats, unwatchFile, watch, watchFile } from 'node:fs';
import * as path from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import { readBounded } from '../../platform/files/ownFiles.ts';
import { definitionProblem, type definitionProblemTable } from '../definitionProblems.ts';
import { type ForeignPlace, type ForeignPlacesContext, unreadableFile } from './foreignFiles.ts';
import { readDefinitions } from '../readDefinitions.ts';
import type { DefinitionReading, DefinitionSource } from '../serverDefinition.ts';
import type { VariableContext } from '../variables.ts';

/**
 * Reads the definitions of all places. Readings end in the order in which they were asked for, so that an old one never
 * replaces a newer one.
 */
export class DefinitionReader {
  readonly #settings: () => readonly DefinitionSource[];
  readonly #found: Pick<FoundServers, 'sources'>;
  readonly #env: VariableContext['env'] | undefined;
  readonly #readings = new Sequencer();

  /** `env` is where the variables of definitions are looked up; without it nothing is said of those that are not set. */
  constructor(settings: () => readonly DefinitionSource[], found: Pick<FoundServers, 'sources'>, env?: VariableContext['env']) {
    this.#settings = settings;
    this.#found = found;
    this.#env = env;
  }

  read(): Promise<DefinitionReading> {
    // The settings come first, so that their servers have the plain names that people know.
    return this.#readings.run(async () => readDefinitions([...this.#settings(), ...(await this.#found.sources())], this.#env));
  }
}

export interface FoundServersOptions {
  /** The places that are wanted now; they change with the settings and the folders. */
  readonly places: () => readonly ForeignPlace[];
  /** Where it is looked up whether a variable with a default is set. */
  readonly env?: ForeignPlacesContext['env'] | undefined;
  readonly pollMs?: number;
}

/** The most bytes of another program's settings file; a larger one is reported and not read. */
const maxFile = 1024 * 1024;
/** How often a file is checked whose folder does not exist yet, or whose changes the system does not report. */
const defaultPollMs = 10_000;
/** A changed file is read when nothing more was written to it for so long. */
const settleMs = 200;
const malformed = 'definitions.fileMalformed' satisfies keyof typeof definitionProblemTable;

/** The servers in other programs' files. It reports when one of the files appears, changes or disappears, and starts no server. */
export class FoundServers implements Disposable {
  readonly #options: FoundServersOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #watched = new Map<string, Disposable>();
  /** The contents of each file when it could be read last. */
  readonly #whole = new Map<string, DefinitionSource>();

  readonly onDidChange = this.#changed.event;

  constructor(options: FoundServersOptions) {
    this.#options = options;
    this.#lifetime.add(toDisposable(() => this.#watched.forEach((each) => each.dispose())));
  }

  /** The contents of the files now. From now on these files are watched. Files that do not exist give nothing. */
  async sources(): Promise<readonly DefinitionSource[]> {
    const places = this.#options.places();
    this.#watch(new Set(places.map((place) => place.path)));
    const sources = await Promise.all(places.map(async (place) => this.#steady(place.path, await readPlace(place, this.#options.env))));
    return sources.filter((source) => source !== undefined);
  }

  /**
   * A file that is saved while somebody types in it is no whole JSON for a moment. What it said before stays until it is: else all
   * of its servers would be stopped because of a comma.
   */
  #steady(file: string, now: DefinitionSource | undefined): DefinitionSource | undefined {
    const before = this.#whole.get(file);
    if (before !== undefined && now?.unreadable?.code === malformed) {
      return { ...before, unreadable: now.unreadable };
    }
    if (now === undefined || now.unreadable !== undefined) {
      this.#whole.delete(file);
    } else {
      this.#whole.set(file, now);
    }
    return now;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #watch(wanted: ReadonlySet<string>): void {
    for (const [file, watching] of this.#watched) {
      if (!wanted.has(file)) {
        watching.dispose();
        this.#watched.delete(file);
        this.#whole.delete(file);
      }
    }
    for (const file of this.#lifetime.isDisposed ? [] : wanted) {
      if (!this.#watched.has(file)) {
        this.#watched.set(file, this.#watchOne(file));
      }
    }
  }

  /** Watches the file's folder, because the file may be replaced, and polls, because the folder may not exist yet. */
  #watchOne(file: string): Disposable {
    let settling: NodeJS.Timeout | undefined;
    // Not every program replaces a file at once: a half-written file has other servers in it, or none.
    const settle = (): void => {
      clearTimeout(settling);
      settling = setTimeout(() => this.#changed.fire(), settleMs);
    };
    let folder = watchFolderOf(file, settle);
    const listener = (now: Stats, before: Stats): void => {
      if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) {
        // The folder may have been replaced by another one of the same name.
        folder?.close();
        folder = watchFolderOf(file, settle);
        settle();
      }
    };
    watchFile(file, { interval: this.#options.pollMs ?? defaultPollMs, persistent: false }, listener);
    return toDisposable(() => {
      clearTimeout(settling);
      unwatchFile(file, listener);
      folder?.close();
    });
  }
}

/** Watches the folder of a file. The result is undefined when the system has no watch left, or when the folder does not exist. */
function watchFolderOf(file: string, onChange: () => void): FSWatcher | undefined {
  const isFile = (name: string | null): boolean => name === null || name === path.basename(file);
  try {
    const watcher = watch(path.dirname(file), { persistent: false }, (_event, name) => isFile(name) && onChange());
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}

/** The contents of one file now; undefined when it does not exist. */
export async function readPlace(place: ForeignPlace, env: ForeignPlacesContext['env'] | undefined): Promise<DefinitionSource | undefined> {
  try {
    const content = await readBounded(place.path, maxFile);
    if (content === undefined) {
      return unreadableFile(place, definitionProblem('definitions.fileTooLarge', { file: place.path }));
    }
    // Where no other program has a file, the code that understands them is not needed.
    const { readForeignFile } = await import('./foreignContents.ts');
    return readForeignFile(place, content.toString('utf8'), env);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) {
      return undefined;
    }
    return unreadableFile(place, definitionProblem('definitions.fileNotOpened', { file: place.path }));
  }
}
