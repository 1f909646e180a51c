import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import type { ServerInstructions } from '../chat/systemPrompt.ts';
import type { Ask } from '../consent/consentGate.ts';
import type { FeaturePorts } from '../host/features/featurePorts.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { openExternalLink } from '../views/externalLink.ts';
import { createSamplingModel, type SamplingOptions } from '../chat/sampling.ts';

export interface FeaturesJoinOptions extends SamplingOptions {
  /** Where the questions that servers cause are shown: the consent panel. */
  readonly ask: Ask;
}

/**
 * What servers may ask of this window. Made before the registry and given to it as `features`; the chat comes later, so
 * `provider` is looked up at each request. `ChatTools.instructions` is `() => instructionsOf(registry)`.
 */
export class FeaturesJoin implements Disposable {
  readonly ports: FeaturePorts;
  readonly #lifetime = new DisposableStore();

  constructor(options: FeaturesJoinOptions) {
    const foldersChanged = this.#lifetime.add(new Emitter<void>());
    const watching = vscode.workspace.onDidChangeWorkspaceFolders(() => foldersChanged.fire());
    this.#lifetime.add(toDisposable(() => void watching.dispose()));
    this.ports = {
      ask: options.ask,
      folders: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: folder.uri.fsPath })),
      onDidChangeFolders: foldersChanged.event,
      samplingModel: createSamplingModel(options),
      openExternal: openExternalLink,
    };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** What running servers say about their own use, for the chat's system prompt. */
export function instructionsOf(registry: HostRegistry): readonly ServerInstructions[] {
  return registry.servers().flatMap(({ label, state, tools }) => {
    const text = state.kind === 'ready' && tools.length > 0 ? state.instructions : undefined;
    return text === undefined ? [] : [{ server: label, text }];
  });
}
