import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { collectSources, FoundServers } from '../definitions/foundServers.ts';
import { foreignPlaces } from '../definitions/foreignPlaces.ts';
import { readDefinitions } from '../definitions/readDefinitions.ts';
import type { DefinitionReading } from '../definitions/serverDefinition.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { HostEnvironment } from '../host/approval.ts';

/** Everything that says which servers there are: the settings of every scope, and other programs' files. */
export class DefinitionsJoin implements Disposable {
  readonly #settings: SettingsReader;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #found: FoundServers;
  #reading: Promise<unknown> = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  constructor(settings: SettingsReader, environment: HostEnvironment) {
    this.#settings = settings;
    const places = (): ReturnType<typeof foreignPlaces> =>
      foreignPlaces(settings.get('duplex.discovery'), {
        folders: environment.folders(),
        userHome: environment.userHome,
        env: environment.env,
        platform: environment.platform,
      });
    this.#found = this.#lifetime.add(new FoundServers({ places }));
    const tell = (): void => this.#changed.fire();
    this.#lifetime.add(this.#found.onDidChange(tell));
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(tell));
    this.#lifetime.add(
      settings.onDidChange((affects) => {
        if (affects('duplex.mcpServers') || affects('duplex.inputs') || affects('duplex.discovery')) {
          tell();
        }
      }),
    );
  }

  /** Readings end in the order they were asked for, so that an old one never replaces a newer one. */
  read(): Promise<DefinitionReading> {
    const reading = this.#reading.then(async () => readDefinitions(await collectSources(this.#settings.definitionSources(), this.#found)));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
