import { homedir } from 'node:os';
import * as path from 'node:path';
import { Late } from '../base/late.ts';
import { findExecutable, pathVariable } from '../platform/processes/findExecutable.ts';
import { KeptAnswers } from '../registry/keptAnswers.ts';
import { RegistryClient } from '../registry/registryClient.ts';
import { RegistryPanel } from '../views/registry/registryPanel.ts';
import type { ServersTree } from '../views/servers/serversTree.ts';
import { startAdded } from '../views/servers/startAdded.ts';
import type { PagesJoinOptions } from './viewsJoinOptions.ts';

export interface RegistryJoinOptions {
  readonly serversTree: ServersTree;
}

/** Joins the page of the registry to the settings, the servers, and the programs of this machine. Loaded when the page is first shown. */
export function joinRegistry(options: PagesJoinOptions & RegistryJoinOptions): RegistryPanel {
  const { extensionUri, storageFolder, settings, host, inputs, serversTree, loginShellPath, reporter, log } = options;
  const { registry, starts } = host;
  const store = new Late(async () => {
    const { BundleStore } = await import('../registry/bundles/bundleStore.ts');
    return new BundleStore(path.join(storageFolder, 'bundles'));
  });
  return new RegistryPanel({
    extensionUri,
    client: new RegistryClient({ files: new KeptAnswers(path.join(storageFolder, 'registry'), log) }),
    url: () => settings.get('duplex.registry.url'),
    definitions: () => registry.servers().flatMap(({ id }) => registry.definitionOf(id) ?? []),
    hasProgram: async (program) => {
      // The person's shell runs for its PATH only after a first approval; until then the editor's own has to do.
      const searchPath = loginShellPath.wasAsked ? await loginShellPath.read() : pathVariable(process.env).value;
      const search = { shownCommand: program, searchPath, cwd: '/', platform: process.platform };
      return findExecutable(program, { ...search, pathExtensions: process.env['PATHEXT'] }).then(
        () => true,
        () => false,
      );
    },
    bundles: { machine: { platform: process.platform, home: homedir() }, store: () => store.get() },
    onAdded: async (added) => void (await startAdded(added, { registry, starts, inputs, tree: serversTree })),
    onDidChange: registry.onDidChange,
    report: (error) => reporter.report(error),
    log,
  });
}
