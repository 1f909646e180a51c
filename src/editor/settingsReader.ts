// editor/: VS Code behind the ports of the rooms below: what they ask for is done here with its API. Each folder is one part of
// the editor, and served/ puts them together for the server; the files beside them are settings, logs, language models, the
// debugger and the browser.
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

/** The words by which people know the places of settings. */
export interface SettingsPlaces {
  user(): string;
  remote(): string;
  workspace(): string;
  folder(name: string): string;
}

/** The one reader of VS Code's configuration. serverSettings.ts reads too, but only what it is about to write beside. */
export class SettingsReader implements Disposable {
  readonly #ignored: IgnoredSettings;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<(name: SettingName) => boolean>());

  /** Fires when settings change, with a function that says whether a setting is affected. */
  readonly onDidChange: Event<(name: SettingName) => boolean> = this.#changed.event;

  constructor(log: Log) {
    this.#ignored = new IgnoredSettings(log);
    this.#lifetime.add(
      vscode.workspace.onDidChangeConfiguration((event) => this.#changed.fire((name) => event.affectsConfiguration(name))),
    );
  }

  /** The value that counts: of a malformed value its readable entries or the default, and the log says so. */
  get<N extends IgnorableSettingName>(name: N): SettingValue<N> {
    return this.#ignored.usable(name, this.read(name));
  }

  /** The value, for callers that have to know whether it is malformed. */
  read<N extends WindowSettingName>(name: N): SettingReading<N> {
    return readSetting(name, vscode.workspace.getConfiguration().get(name));
  }

  /** Writes the value where the present one stands: a workspace's value would hide the person's. */
  async write<N extends WindowSettingName>(name: N, value: SettingValue<N>): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const { Global, Workspace } = vscode.ConfigurationTarget;
    await configuration.update(name, value, configuration.inspect(name)?.workspaceValue === undefined ? Global : Workspace);
  }

  /**
   * The server definitions of every scope, each whole: VS Code's own `get` would merge a repository's fields into the person's
   * definitions.
   */
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

  /** Whether VS Code has a proxy set. The value may hold a password and is not read any further. */
  hasProxy(): boolean {
    return vscode.workspace.getConfiguration('http').get<string>('proxy', '') !== '';
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** The key that tells this workspace from every other: its file, or its first folder. Permissions are kept by it. */
export function workspaceKey(): string {
  const place = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  return place?.toString() ?? '';
}

/** How the person indents this document. */
export function formattingOptions(document: vscode.TextDocument): vscode.FormattingOptions {
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  const configuration = vscode.workspace.getConfiguration('editor', document);
  const tabSize = editor?.options.tabSize ?? configuration.get('tabSize');
  const insertSpaces = editor?.options.insertSpaces ?? configuration.get('insertSpaces');
  return { tabSize: typeof tabSize === 'number' ? tabSize : 4, insertSpaces: insertSpaces !== false };
}

/** Whether VS Code takes this file for UTF-8, whatever its language, unless its first bytes say otherwise. */
export function isReadAsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  const languages = [files.inspect('encoding'), files.inspect('autoGuessEncoding')].flatMap((each) => each?.languageIds ?? []);
  const configurations = [files, ...languages.map((languageId) => vscode.workspace.getConfiguration('files', { uri, languageId }))];
  return configurations.every((each) => utf8Names.has(each.get('encoding')) && each.get('autoGuessEncoding') === false);
}

const utf8Names: ReadonlySet<unknown> = new Set(['utf8', 'utf8bom']);

/**
 * tasks.json as it is written: its entries, and what it says for all of them, such as a shell, variables or a folder. Neither
 * version nor inputs decide what runs.
 */
export function configuredTasks(folder: vscode.Uri | undefined): { readonly entries: readonly unknown[]; readonly forAll: JsonObject } {
  const written = vscode.workspace.getConfiguration(undefined, folder).get<unknown>('tasks');
  const { tasks, ...rest }: JsonObject = isJsonObject(written) ? written : {};
  const forAll = Object.entries(rest).filter(([name]) => name !== 'version' && name !== 'inputs');
  return { entries: Array.isArray(tasks) ? tasks : [], forAll: Object.fromEntries(forAll) };
}

/** Says in the log which settings are ignored, and why. It says it again only when the problem is another one. */
export class IgnoredSettings {
  readonly #log: Log;
  readonly #said = new Map<IgnorableSettingName, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The value of the setting that counts. */
  usable<N extends IgnorableSettingName>(name: N, reading: SettingReading<N>): SettingValue<N> {
    if (reading.kind === 'valid') {
      this.#said.delete(name);
      return reading.value;
    }
    const sentence = reading.problems.map((problem) => `${describeProblem(name, problem)}; it is ignored.`).join(' ');
    if (this.#said.get(name) !== sentence) {
      this.#said.set(name, sentence); // noted before it is written, because the log itself asks for its level here
      this.#log.warn(sentence);
    }
    return reading.rest as SettingValue<N>; // the compiler cannot tell that N is none of those without a rest
  }
}

/**
 * What `inspect()` says about the scopes outside the workspace. The last two members exist only at run time: VS Code's typings
 * lack them.
 */
export interface InspectedGlobally {
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

export interface GlobalParts {
  /** The value in the person's own settings. */
  readonly user: unknown;
  /** The value in the machine settings of the remote, which a repository's devcontainer can write. */
  readonly remote: unknown;
}

/**
 * Takes the person's value and the remote's apart. `globalValue` is a deep merge of both, through which a devcontainer would
 * graft its `url` onto the person's `headers`. It is one place's value only where neither part is given: in an older VS Code, or
 * for a value that all profiles share.
 */
export function globalParts({ globalValue, globalLocalValue, globalRemoteValue }: InspectedGlobally = {}): GlobalParts {
  const isApart = globalLocalValue !== undefined || globalRemoteValue !== undefined;
  return isApart ? { user: globalLocalValue, remote: globalRemoteValue } : { user: globalValue, remote: undefined };
}

export interface GlobalPlaces {
  /** The words by which people know each place. */
  readonly userLocation: string;
  readonly remoteLocation: string;
  /** The name that tells this remote from another. */
  readonly machine: string;
}

/** The definitions of each place, whole, with the inputs of its own. */
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
