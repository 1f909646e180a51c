import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { settingError } from '../contract/settingProblems.ts';
import type { SettingName } from '../contract/settings.ts';

export type ServerPlace = 'user' | 'workspace';

const setting = 'duplex.mcpServers' satisfies SettingName;

/** The names that stand in the user's or the workspace's own settings. */
export function configuredNames(): string[] {
  return [...new Set([...Object.keys(valueIn('user')), ...Object.keys(valueIn('workspace'))])];
}

/** Adds entries beside those of one place; nothing of another place is copied into it. */
export async function addServers(place: ServerPlace, servers: JsonObject): Promise<void> {
  const target = place === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await vscode.workspace.getConfiguration().update(setting, { ...valueIn(place), ...servers }, target);
}

function valueIn(place: ServerPlace): JsonObject {
  const inspected = vscode.workspace.getConfiguration().inspect<unknown>(setting);
  const value = place === 'user' ? inspected?.globalValue : inspected?.workspaceValue;
  if (value === undefined) {
    return {};
  }
  if (!isJsonObject(value)) {
    throw settingError(place === 'user' ? 'settings.userNotAnObject' : 'settings.workspaceNotAnObject', { setting });
  }
  return value;
}
