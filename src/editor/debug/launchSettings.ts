import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { terminalSettings } from '../settingsReader.ts';
import { contributed } from '../shared/extensionSettings.ts';
import { workspaceSettings } from '../workspace/runSettings.ts';
import { filesReadUnasked } from './unaskedFiles.ts';

/** What decides, beside a debug configuration, which program a debugger starts and with which variables. */
export interface LaunchSettings {
  /** The settings that the workspace chooses, by name, as they count now. */
  readonly values: JsonObject;
  /** The names of those, and of files that a debugger reads without being told to. */
  readonly ofWorkspace: readonly string[];
}

/**
 * Finds the settings of the workspace by which a debugger may start something else than its configuration says, such as
 * `debug.javascript.defaultRuntimeExecutable`: every setting of the extension that brings the debugger, and those of terminals.
 */
export async function launchSettings(configuration: JsonObject, folder: vscode.WorkspaceFolder | undefined): Promise<LaunchSettings> {
  const chosen = workspaceSettings(settingsOf(configuration['type']), folder?.uri);
  const terminal = terminalSettings();
  const values = {
    ...chosen,
    ...(terminal.ofWorkspace.length + terminal.ofExtensions.length > 0 && { terminal: terminal.values }),
  };
  const read = await filesReadUnasked(configuration, folder?.uri.fsPath);
  return { values, ofWorkspace: [...new Set([...Object.keys(chosen), ...terminal.ofWorkspace, ...read])] };
}

/** The names of all settings of the extensions that bring a debugger of this type, and of those that they need. */
function settingsOf(type: unknown): readonly string[] {
  const waiting = vscode.extensions.all.filter(({ packageJSON }) =>
    contributed(packageJSON, 'debuggers').some((each) => each['type'] === type),
  );
  const known = new Set(waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const id of idsOf(next.packageJSON)) {
      const needed = vscode.extensions.getExtension(id);
      if (needed !== undefined && !known.has(needed)) {
        known.add(needed);
        waiting.push(needed);
      }
    }
  }
  return [...known].flatMap(({ packageJSON }) =>
    contributed(packageJSON, 'configuration').flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : [])),
  );
}

function idsOf(manifest: unknown): readonly string[] {
  const ids = isJsonObject(manifest) ? manifest['extensionDependencies'] : undefined;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
