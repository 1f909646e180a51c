import { collectSources, type FoundServers } from './foundServers.ts';
import { readDefinitions } from './readDefinitions.ts';
import type { DefinitionReading, DefinitionSource } from './serverDefinition.ts';

/** Reads every place there is. Readings end in the order they were asked for, so that an old one never replaces a newer one. */
export class DefinitionReader {
  readonly #settings: () => readonly DefinitionSource[];
  readonly #found: Pick<FoundServers, 'sources'>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: () => readonly DefinitionSource[], found: Pick<FoundServers, 'sources'>) {
    this.#settings = settings;
    this.#found = found;
  }

  read(): Promise<DefinitionReading> {
    const reading = this.#last.then(async () => readDefinitions(await collectSources(this.#settings(), this.#found)));
    this.#last = reading.catch(() => undefined);
    return reading;
  }
}
