import { homedir } from 'node:os';
import * as path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { Late } from '../../base/late.ts';
import type { Log } from '../../base/log.ts';
import type { AuditLog, AuditRecord } from '../../consent/audit/auditLog.ts';
import { findExecutable, pathVariable } from '../../platform/processes/findExecutable.ts';
import type { BundleStore } from '../../registry/bundles/bundleStore.ts';
import { KeptAnswers } from '../../registry/keptAnswers.ts';
import { RegistryClient } from '../../registry/registryClient.ts';
import { RegistryPanel } from '../../views/registry/registryPanel.ts';
import { settingsOfWindow, type WindowFiles } from '../../views/registry/windowSettings.ts';
import type { ServersTree } from '../../views/servers/serversTree.ts';
import { startAdded } from '../../views/servers/adding/startAdded.ts';
import type { HostJoin } from '../hostJoin.ts';
import type { PagesJoinOptions } from './viewsJoinOptions.ts';

export interface RegistryJoinOptions {
  readonly serversTree: ServersTree;
}

/** Joins the page of the registry to the settings, the servers, and the programs of this machine. Loaded when the page is first shown. */
export function joinRegistry(options: PagesJoinOptions & RegistryJoinOptions): RegistryPanel {
  const {
    extensionUri,
    storageFolder,
    userDataPath,
    globalState,
    settings,
    host,
    inputs,
    serversTree,
    loginShellPath,
    record,
    reporter,
    log,
  } = options;
  const { registry, starts } = host;
  const windowFiles = (): Promise<WindowFiles> => settingsOfWindow(userDataPath, globalState);
  const store = new Late(async () => {
    const { BundleStore } = await import('../../registry/bundles/bundleStore.ts');
    const bundles = new BundleStore(path.join(storageFolder, 'bundles'));
    await tidyUp(bundles, host, await windowFiles(), log);
    return bundles;
  });
  // Whoever looks for servers can wait for what is left of others; whoever opens a window cannot.
  void store.get().catch((error: unknown) => reporter.report(error));
  return new RegistryPanel({
    extensionUri,
    client: new RegistryClient({ files: new KeptAnswers(path.join(storageFolder, 'registry'), log) }),
    url: () => settings.get('duplex.registry.url'),
    definitions: () => registry.servers().flatMap(({ id }) => registry.definitionOf(id) ?? []),
    hasProgram: (program) => hasProgram(program, loginShellPath),
    bundles: { machine: { platform: process.platform, home: homedir() }, store: () => store.get() },
    settingsFiles: async () => (await windowFiles()).files,
    recordAnswer: ({ bundle: { name, url, sha256 } }, outcome) => {
      const subject = `sha256:${sha256} ${url}`;
      return recordAnswer(record.audit, { principal: 'host', peer: name, action: 'downloadBundle', subject, decidedBy: 'person', outcome });
    },
    add: async (added, write) =>
      void (await host.whileAdding(async (willAdd) => {
        willAdd(added);
        await write();
        return startAdded(added, { registry, starts, inputs, tree: serversTree });
      })),
    onDidChange: registry.onDidChange,
    report: (error) => reporter.report(error),
    log,
  });
}

/** Whether a program is found. The person's shell runs for its PATH only after a first approval; until then the editor's own has to do. */
async function hasProgram(program: string, loginShellPath: PagesJoinOptions['loginShellPath']): Promise<boolean> {
  const searchPath = loginShellPath.wasAsked ? await loginShellPath.read() : pathVariable(process.env).value;
  const search = { shownCommand: program, searchPath, cwd: '/', platform: process.platform };
  return findExecutable(program, { ...search, pathExtensions: process.env['PATHEXT'] }).then(
    () => true,
    () => false,
  );
}

/** A yes counts once it is in the audit log; a no counts in any case. */
async function recordAnswer(audit: AuditLog, record: AuditRecord): Promise<void> {
  if (record.outcome === 'allowed') {
    await audit.write(record);
  } else {
    audit.note(record);
  }
}

/** Removes the bundles that no server has used for a day. */
async function tidyUp(bundles: BundleStore, { registry }: HostJoin, files: WindowFiles, log: Log): Promise<void> {
  try {
    const texts = registry.servers().map(({ id }) => JSON.stringify(registry.definitionOf(id)?.raw ?? {}));
    const removed = await bundles.removeUnused({ texts, ...files });
    removed.forEach((name) => log.info(`The bundle ${name} was removed: no server uses it any more.`));
  } catch (error) {
    log.warn(`Bundles that no server uses could not be removed: ${messageOf(error)}`);
  }
}
