import * as vscode from 'vscode';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { settingError } from '../contract/settings/settingProblems.ts';
import type { SettingName } from '../contract/settings/settings.ts';
import { globalParts } from './settingsReader.ts';

export type ServerPlace = 'user' | 'workspace';

const setting = 'duplex.mcpServers' satisfies SettingName;
const inputsSetting = 'duplex.inputs' satisfies SettingName;

/** The names of servers in the user's and the workspace's settings. */
export function configuredNames(): string[] {
  const { user } = globalParts(vscode.workspace.getConfiguration().inspect<unknown>(setting));
  const places = [valueIn('user'), valueIn('workspace'), isJsonObject(user) ? user : {}];
  return [...new Set(places.flatMap((place) => Object.keys(place)))];
}

/** What the settings of the person, of whatever machine, say of servers, as text. */
export function textOfOwnServers(): string {
  return JSON.stringify(globalParts(vscode.workspace.getConfiguration().inspect<unknown>(setting)));
}

/** The inputs in the user's and the workspace's settings. */
export function configuredInputs(): readonly JsonValue[] {
  return [...inputsOf('user'), ...inputsOf('workspace')];
}

/**
 * Adds servers to those of one place, and their inputs, which come first: a server that names an input that is not there cannot
 * be used. Nothing of another place is copied into it.
 */
export async function addServers(place: ServerPlace, servers: JsonObject, inputs: readonly JsonValue[]): Promise<void> {
  const target = place === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  const there = inputsOf(place);
  const fresh = inputs.filter((input) => !there.some((other) => canonicalJson(other) === canonicalJson(input)));
  if (fresh.length > 0) {
    await vscode.workspace.getConfiguration().update(inputsSetting, [...there, ...fresh], target);
  }
  await vscode.workspace.getConfiguration().update(setting, { ...valueIn(place), ...servers }, target);
}

/**
 * The value to write beside. Where the remote's settings have a value, VS Code writes a user's value there: the person's own must
 * not be copied with it.
 */
function valueIn(place: ServerPlace): JsonObject {
  const inspected = vscode.workspace.getConfiguration().inspect<unknown>(setting);
  const { user, remote } = globalParts(inspected);
  const value = place === 'user' ? (remote ?? user) : inspected?.workspaceValue;
  if (value === undefined) {
    return {};
  }
  if (!isJsonObject(value)) {
    throw settingError(place === 'user' ? 'settings.userNotAnObject' : 'settings.workspaceNotAnObject', { setting });
  }
  return value;
}

function inputsOf(place: ServerPlace): readonly JsonValue[] {
  const inspected = vscode.workspace.getConfiguration().inspect<unknown>(inputsSetting);
  const { user, remote } = globalParts(inspected);
  const value = place === 'user' ? (remote ?? user) : inspected?.workspaceValue;
  if (value !== undefined && !Array.isArray(value)) {
    throw settingError('settings.notAList', { setting: inputsSetting });
  }
  return (value ?? []) as readonly JsonValue[];
}

/** The settings file in which an entry stands. */
export interface EntryPlace {
  readonly scope: 'user' | 'remote' | 'workspace' | 'folder';
  /** The path of the folder, for the scope `folder`. */
  readonly folder?: string | undefined;
}

/** The entries as they stand in that place alone; undefined where VS Code would write them into another place. */
export function entriesIn({ scope, folder }: EntryPlace): JsonObject | undefined {
  const inspected = configurationOf(folder).inspect<unknown>(setting);
  const { user, remote } = globalParts(inspected);
  const values = { user: remote === undefined ? user : undefined, remote, workspace: inspected?.workspaceValue };
  const value = scope === 'folder' ? inspected?.workspaceFolderValue : values[scope];
  return isJsonObject(value) ? value : undefined;
}

/** Writes all entries of that place; undefined takes the setting away. */
export async function writeEntries({ scope, folder }: EntryPlace, value: JsonObject | undefined): Promise<void> {
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const target = { user: Global, remote: Global, workspace: Workspace, folder: WorkspaceFolder }[scope];
  await configurationOf(folder).update(setting, value, target);
}

function configurationOf(folder: string | undefined): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(undefined, folder === undefined ? undefined : vscode.Uri.file(folder));
}
