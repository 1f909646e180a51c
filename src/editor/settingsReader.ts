// editor/: VS Code behind the ports of the rooms below: what they ask for is done here with its API. Each folder is one part of
// the editor, and served/ puts them together for the server; the files beside them are settings, secrets, logs and the browser.
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/events.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { readSetting, type SettingReading } from '../contract/settings/readSetting.ts';
import { describeProblem } from '../contract/settings/settingProblems.ts';
import type { IgnorableSettingName, SettingName, SettingValue, WindowSettingName } from '../contract/settings/settings.ts';
import type { DefinitionSource } from '../definitions/serverDefinition.ts';

/** What people call the places of settings. */
export interface SettingsPlaces {
  user(): string;
  remote(): string;
  workspace(): string;
  folder(name: string): string;
}

/** Everybody's reader of VS Code's configuration; serverSettings.ts reads too, but only what it is about to write beside. */
export class SettingsReader implements Disposable {
  readonly #ignored: IgnoredSettings;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<(name: SettingName) => boolean>());

  /** Fires with a test for whether a setting is affected. */
  readonly onDidChange: Event<(name: SettingName) => boolean> = this.#changed.event;

  constructor(log: Log) {
    this.#ignored = new IgnoredSettings(log);
    this.#lifetime.add(
      vscode.workspace.onDidChangeConfiguration((event) => this.#changed.fire((name) => event.affectsConfiguration(name))),
    );
  }

  /** What counts: of a malformed value its readable entries or the default, and the log says so. */
  get<N extends IgnorableSettingName>(name: N): SettingValue<N> {
    return this.#ignored.usable(name, this.read(name));
  }

  /** For who has to know whether it is malformed. */
  read<N extends WindowSettingName>(name: N): SettingReading<N> {
    return readSetting(name, vscode.workspace.getConfiguration().get(name));
  }

  /** Where the value of now stands: a workspace's own would hide the person's. */
  async write<N extends WindowSettingName>(name: N, value: SettingValue<N>): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const { Global, Workspace } = vscode.ConfigurationTarget;
    await configuration.update(name, value, configuration.inspect(name)?.workspaceValue === undefined ? Global : Workspace);
  }

  /** Every scope whole: VS Code's own `get` would merge a repository's fields into the person's definitions. */
  definitionSources(places: SettingsPlaces): DefinitionSource[] {
    const servers = vscode.workspace.getConfiguration().inspect('duplex.mcpServers');
    const inputs = vscode.workspace.getConfiguration().inspect('duplex.inputs');
    const locations = { userLocation: places.user(), remoteLocation: places.remote() };
    const sources = [...globalSources(servers, inputs, { ...locations, machine: hostname() })];
    if (servers?.workspaceValue !== undefined) {
      const location = places.workspace();
      const workspace = workspaceKey();
      sources.push({ scope: 'workspace', workspace, value: servers.workspaceValue, inputs: inputs?.workspaceValue, location });
    }
    // With a single folder its settings are the workspace's: VS Code reports the same value for both.
    const folders = vscode.workspace.workspaceFile === undefined ? [] : (vscode.workspace.workspaceFolders ?? []);
    for (const folder of folders) {
      const configuration = vscode.workspace.getConfiguration(undefined, folder.uri);
      const value = configuration.inspect('duplex.mcpServers')?.workspaceFolderValue;
      if (value !== undefined) {
        const location = places.folder(folder.name);
        const ownInputs = configuration.inspect('duplex.inputs')?.workspaceFolderValue;
        sources.push({ scope: 'folder', folder: { name: folder.name, path: folder.uri.fsPath }, value, inputs: ownInputs, location });
      }
    }
    return sources;
  }

  /** VS Code's own setting; its value may hold a password and is nobody's business. */
  hasProxy(): boolean {
    return vscode.workspace.getConfiguration('http').get<string>('proxy', '') !== '';
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** What tells this workspace from every other: its file, or its only folder. Permissions are kept by it. */
export function workspaceKey(): string {
  const place = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  return place?.toString() ?? '';
}

/** How the person indents such a document. */
export function formattingOptions(document: vscode.TextDocument): vscode.FormattingOptions {
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  const configuration = vscode.workspace.getConfiguration('editor', document);
  const tabSize = editor?.options.tabSize ?? configuration.get('tabSize');
  const insertSpaces = editor?.options.insertSpaces ?? configuration.get('insertSpaces');
  return { tabSize: typeof tabSize === 'number' ? tabSize : 4, insertSpaces: insertSpaces !== false };
}

/** Whether VS Code takes such a file for UTF-8, whatever its language, unless its first bytes say otherwise. */
export function isReadAsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  const languages = [files.inspect('encoding'), files.inspect('autoGuessEncoding')].flatMap((each) => each?.languageIds ?? []);
  const configurations = [files, ...languages.map((languageId) => vscode.workspace.getConfiguration('files', { uri, languageId }))];
  return configurations.every((each) => utf8Names.has(each.get('encoding')) && each.get('autoGuessEncoding') === false);
}

const utf8Names: ReadonlySet<unknown> = new Set(['utf8', 'utf8bom']);

/** tasks.json as it is written: its entries, and what it says for all of them, such as a shell, variables or a folder. */
export function configuredTasks(folder: vscode.Uri | undefined): { readonly entries: readonly unknown[]; readonly forAll: JsonObject } {
  const written = vscode.workspace.getConfiguration(undefined, folder).get<unknown>('tasks');
  const { tasks, ...rest }: JsonObject = isJsonObject(written) ? written : {};
  const forAll = Object.entries(rest).filter(([name]) => name !== 'version' && name !== 'inputs');
  return { entries: Array.isArray(tasks) ? tasks : [], forAll: Object.fromEntries(forAll) };
}

/** Says in the log what of the settings does not count, and why: again only when it is something else. */
export class IgnoredSettings {
  readonly #log: Log;
  readonly #said = new Map<IgnorableSettingName, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** What counts of the setting. */
  usable<N extends IgnorableSettingName>(name: N, reading: SettingReading<N>): SettingValue<N> {
    if (reading.kind === 'valid') {
      this.#said.delete(name);
      return reading.value;
    }
    const sentence = reading.problems.map((problem) => `${describeProblem(name, problem)}; it is ignored.`).join(' ');
    if (this.#said.get(name) !== sentence) {
      this.#said.set(name, sentence); // first: the log itself asks for its level here
      this.#log.warn(sentence);
    }
    return reading.rest as SettingValue<N>; // the compiler cannot tell that N is none of those without a rest
  }
}

/** What `inspect()` says of the scopes outside the workspace. The two parts are there at run time only: the typings lack them. */
export interface InspectedGlobally {
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

export interface GlobalParts {
  /** The person's own. */
  readonly user: unknown;
  /** The machine settings of the remote: a repository's devcontainer can write them. */
  readonly remote: unknown;
}

/**
 * `globalValue` is a deep merge of both parts, through which a devcontainer would graft its `url` onto the person's
 * `headers`. Only without any part is it one place's: an older VS Code, or a value that all profiles share.
 */
export function globalParts({ globalValue, globalLocalValue, globalRemoteValue }: InspectedGlobally = {}): GlobalParts {
  const isApart = globalLocalValue !== undefined || globalRemoteValue !== undefined;
  return isApart ? { user: globalLocalValue, remote: globalRemoteValue } : { user: globalValue, remote: undefined };
}

export interface GlobalPlaces {
  /** What people call each. */
  readonly userLocation: string;
  readonly remoteLocation: string;
  /** What tells this remote from another. */
  readonly machine: string;
}

/** Each place whole, with the inputs of its own. */
export function globalSources(
  servers: InspectedGlobally | undefined,
  inputs: InspectedGlobally | undefined,
  { userLocation, remoteLocation, machine }: GlobalPlaces,
): readonly DefinitionSource[] {
  const value = globalParts(servers);
  const own = globalParts(inputs);
  const user: DefinitionSource = { scope: 'user', value: value.user, inputs: own.user, location: userLocation };
  const remote: DefinitionSource = { scope: 'remote', machine, value: value.remote, inputs: own.remote, location: remoteLocation };
  return [user, remote].filter((source) => source.value !== undefined);
}
