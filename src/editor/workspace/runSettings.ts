import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../base/json.ts';

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

/** The debug configurations as they are written, each with the folder in whose launch.json it stands. */
export function configuredLaunches(): readonly {
  readonly entries: readonly unknown[];
  readonly folder: vscode.WorkspaceFolder | undefined;
}[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [only, ...others] = folders;
  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);
  if (others.length === 0) {
    return [{ entries: listOf(vscode.workspace.getConfiguration('launch', only?.uri).get('configurations')), folder: only }];
  }
  const ofFolders = folders.map((folder) => ({
    entries: listOf(vscode.workspace.getConfiguration('launch', folder.uri).inspect('configurations')?.workspaceFolderValue),
    folder,
  }));
  const shared = vscode.workspace.getConfiguration('launch').inspect('configurations');
  return [...ofFolders, { entries: [...listOf(shared?.workspaceValue), ...listOf(shared?.globalValue)], folder: undefined }];
}

/** Returns those of the settings that the workspace or one of its folders sets, with the values that count now. */
export function workspaceSettings(names: readonly string[], folder: vscode.Uri | undefined): JsonObject {
  const own = vscode.workspace.getConfiguration(undefined, folder);
  const isOfWorkspace = (name: string): boolean => {
    const found = own.inspect(name);
    const values = [found?.workspaceValue, found?.workspaceFolderValue, found?.workspaceLanguageValue, found?.workspaceFolderLanguageValue];
    return values.some((value) => value !== undefined);
  };
  return Object.fromEntries(names.filter(isOfWorkspace).map((name) => [name, own.get(name)]));
}
