import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import { createSamplingModel, type SamplingOptions } from '../chat/sampling.ts';
import type { Ask } from '../consent/consentGate.ts';
import { listDefinitionFolders } from '../editor/workspaceFolders.ts';
import type { FeaturePorts } from '../host/features/featurePorts.ts';
import { openExternalLink } from '../views/externalLink.ts';

export interface FeaturesJoinOptions extends SamplingOptions {
  /** Where the questions that servers cause are shown: the consent panel. */
  readonly ask: Ask;
}

/**
 * What servers may ask of this window. Made before the registry and given to it as `features`; the chat comes later, so
 * `provider` is looked up at each request.
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
      folders: listDefinitionFolders,
      onDidChangeFolders: foldersChanged.event,
      samplingModel: createSamplingModel(options),
      openExternal: openExternalLink,
    };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
