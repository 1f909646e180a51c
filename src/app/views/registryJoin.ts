import { randomUUID } from 'node:crypto';
import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { Late } from '../../base/late.ts';
import type { Log } from '../../base/log.ts';
import type { AuditLog, AuditRecord } from '../../consent/audit/auditLog.ts';
import { findExecutable, pathVariable } from '../../platform/processes/findExecutable.ts';
import { textOfOwnServers } from '../../editor/serverSettings.ts';
import type { BundleStore } from '../../registry/bundles/bundleStore.ts';
import type { SettingsElsewhere, WindowSettings } from '../../registry/bundles/bundleUses.ts';
import { KeptAnswers } from '../../registry/keptAnswers.ts';
import { RegistryClient } from '../../registry/registryClient.ts';
import { RegistryPanel } from '../../views/registry/registryPanel.ts';
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
  const windowFiles = (): ReturnType<typeof settingsFiles> => settingsFiles(userDataPath, globalState);
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
    settingsFiles: async () => (await windowFiles()).files,
    recordAnswer: ({ bundle: { name, url, sha256 } }, outcome) => {
      const subject = `sha256:${sha256} ${url}`;
      return recordAnswer(record.audit, { principal: 'host', peer: name, action: 'downloadBundle', subject, decidedBy: 'person', outcome });
    },
    onAdded: async (added) => void (await startAdded(added, { registry, starts, inputs, tree: serversTree })),
    onDidChange: registry.onDidChange,
    report: (error) => reporter.report(error),
    log,
  });
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

type WindowFiles = Pick<WindowSettings, 'files' | 'person'>;

/** The settings files of the person, in every profile, and of this workspace. Those of the person may be on another machine. */
async function settingsFiles(userDataPath: string, state: vscode.Memento): Promise<WindowFiles> {
  const user = path.join(userDataPath, 'User');
  const profiles = await readdir(path.join(user, 'profiles')).catch(() => []);
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const workspace = workspaceFile?.scheme === 'file' ? [workspaceFile.fsPath] : [];
  const folders = workspaceFolders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => path.join(uri.fsPath, '.vscode'));
  const files = [...folders.map(settingsIn), ...workspace];
  if (vscode.env.remoteName !== undefined && !(await isThere(settingsIn(user)))) {
    const person = await personElsewhere(state);
    const machine = settingsIn(path.join(userDataPath, 'Machine'));
    return { files: [person.id, ...((await isThere(machine)) ? [machine] : []), ...files], person };
  }
  return { files: [...[user, ...profiles.map((name) => path.join(user, 'profiles', name))].map(settingsIn), ...files] };
}

/** The person of a window that is connected to this machine from theirs. VS Code keeps its state there, for each profile. */
async function personElsewhere(state: vscode.Memento): Promise<SettingsElsewhere> {
  const name = state.get<string>(personKey) ?? randomUUID();
  await state.update(personKey, name);
  return { id: `person:${name}`, text: textOfOwnServers() };
}

const personKey = 'bundles.person';

const settingsIn = (folder: string): string => path.join(folder, 'settings.json');

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
