import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { DefinitionReader } from '../definitions/definitionReader.ts';
import { FoundServers } from '../definitions/foundServers.ts';
import { foreignPlaces } from '../definitions/foreignPlaces.ts';
import type { DefinitionReading } from '../definitions/serverDefinition.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { HostEnvironment } from '../host/approval.ts';
import { settingsPlaces } from '../views/sentences/placeWords.ts';

/** Everything that says which servers there are: the settings of every scope, and other programs' files. */
export class DefinitionsJoin implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #reader: DefinitionReader;

  readonly onDidChange = this.#changed.event;

  constructor(settings: SettingsReader, environment: HostEnvironment) {
    const places = (): ReturnType<typeof foreignPlaces> =>
      foreignPlaces(settings.get('duplex.discovery'), {
        folders: environment.folders(),
        userHome: environment.userHome,
        env: environment.env,
        platform: environment.platform,
      });
    const found = this.#lifetime.add(new FoundServers({ places }));
    this.#reader = new DefinitionReader(() => settings.definitionSources(settingsPlaces(vscode.l10n.t)), found);
    const tell = (): void => this.#changed.fire();
    this.#lifetime.add(found.onDidChange(tell));
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(tell));
    this.#lifetime.add(
      settings.onDidChange((affects) => {
        if (affects('duplex.mcpServers') || affects('duplex.inputs') || affects('duplex.discovery')) {
          tell();
        }
      }),
    );
  }

  read(): Promise<DefinitionReading> {
    return this.#reader.read();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
