import { randomUUID } from 'node:crypto';
import { access, readdir } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { textOfOwnServers } from '../../editor/serverSettings.ts';
import type { SettingsElsewhere, WindowSettings } from '../../registry/bundles/bundleUses.ts';

export type WindowFiles = Pick<WindowSettings, 'files' | 'person'>;

/** The settings files of the person, in every profile, and of this workspace. Those of the person may be on another machine. */
export async function settingsOfWindow(userDataPath: string, state: vscode.Memento): Promise<WindowFiles> {
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

const personKey = 'bundles.person';

/** The person of a window that is connected to this machine from theirs. VS Code keeps its state there, for each profile. */
async function personElsewhere(state: vscode.Memento): Promise<SettingsElsewhere> {
  const known = state.get<string>(personKey);
  const name = known ?? randomUUID();
  if (known === undefined) {
    await state.update(personKey, name);
  }
  return { id: `person:${name}`, text: textOfOwnServers() };
}

const settingsIn = (folder: string): string => path.join(folder, 'settings.json');

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
