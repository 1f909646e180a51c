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
import {
  type IgnorableSettingName,
  type SettingName,
  settings,
  type SettingValue,
  type WindowSettingName,
} from '../contract/settings/settings.ts';
import type { DefinitionSource } from '../definitions/serverDefinition.ts';
import { settingsThatChoose, shownSettings, type WrittenSettings } from './shared/extensionSettings.ts';

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

  /** Writes the value where the present one stands: a workspace's value would hide the person's, unless the setting is theirs alone. */
  async write<N extends WindowSettingName>(name: N, value: SettingValue<N>): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const isOwn = settings[name].scope === 'application' || configuration.inspect(name)?.workspaceValue === undefined;
    await configuration.update(name, value, isOwn ? Global : Workspace);
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

/** What decides in which shell, with which variables, tasks and commands run. */
export interface TerminalSettings {
  /**
   * The shell that VS Code would use, and by name the settings that differ from VS Code's own, as they count now; of other extensions
   * those by which the workspace chooses what they run.
   */
  readonly values: JsonObject;
  /** The names of those of terminals that the workspace or one of its folders sets. What runs by them may be allowed once only. */
  readonly ofWorkspace: readonly string[];
  /**
   * The names of those of other extensions that the workspace sets. Projects often set one, such as the path of a compiler, so an answer
   * may hold for the session: it is bound to their values, which were shown.
   */
  readonly ofExtensions: readonly string[];
}

/** The settings of terminals on this system; those of Python make its extension change the variables of every terminal. */
export function terminalSettings(platform: NodeJS.Platform = process.platform): TerminalSettings {
  const system = platform === 'win32' ? 'windows' : platform === 'darwin' ? 'osx' : 'linux';
  const forSystem = ['automationProfile', 'defaultProfile', 'profiles', 'env'].map((name) => `terminal.integrated.${name}.${system}`);
  const forPython = [
    'python.envFile',
    'python.terminal.useEnvFile',
    'python.terminal.activateEnvironment',
    'python.defaultInterpreterPath',
  ];
  const names = [...forSystem, 'terminal.integrated.inheritEnv', 'terminal.integrated.cwd', ...forPython];
  const places = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const isOfWorkspace = (name: string): boolean =>
    places
      .map((place) => vscode.workspace.getConfiguration(undefined, place).inspect(name))
      .some((found) => found?.workspaceValue !== undefined || found?.workspaceFolderValue !== undefined);
  const values = names
    .map((name) => [
      name,
      ownPart(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, vscode.workspace.getConfiguration().get(name)),
    ])
    .filter(([, value]) => value !== undefined);
  const ofExtensions = shownSettings(writtenInWorkspace(settingsThatChoose()));
  return {
    values: { shell: vscode.env.shell, ...ofExtensions, ...(Object.fromEntries(values) as JsonObject) },
    ofWorkspace: names.filter(isOfWorkspace),
    ofExtensions: Object.keys(ofExtensions),
  };
}

/** Those of the settings that the workspace or one of its folders sets. */
function writtenInWorkspace(names: readonly string[]): WrittenSettings {
  const places = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const configurations = places.map((place) => vscode.workspace.getConfiguration(undefined, place));
  return names.flatMap((name) => {
    const found = configurations.map((each) => each.inspect(name));
    const values = found.flatMap((each) => [each?.workspaceValue, each?.workspaceFolderValue]).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [[name, [...new Set(values.map((value) => JSON.stringify(value)))]] as const];
  });
}

/** The part of a value that is not VS Code's own; of an object, the members that are not. */
function ownPart(usual: unknown, value: unknown): unknown {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (isSame(usual ?? null, value ?? null) || value === '') {
    return undefined;
  }
  const own = isJsonObject(value)
    ? Object.entries(value).filter(([name, member]) => !isSame(isJsonObject(usual) ? usual[name] : undefined, member))
    : [];
  return isJsonObject(value) ? (own.length === 0 ? undefined : Object.fromEntries(own)) : value;
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
