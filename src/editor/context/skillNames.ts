import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifecycle.ts';

const pattern = '{.agents,.claude,.github}/skills/*/SKILL.md';
const maxNamed = 30;

/** Tells which folders of a trusted workspace have a `SKILL.md`, now and whenever that changes. Nothing in them is read. */
export function watchSkillNames(
  onNames: (skills: readonly { readonly name: string; readonly manifest: vscode.Uri }[]) => void,
  lifetime: DisposableStore,
): void {
  const look = async (): Promise<void> => {
    const found = vscode.workspace.isTrusted ? await vscode.workspace.findFiles(pattern, null, maxNamed) : [];
    const skills = found.map((manifest) => ({ name: manifest.path.split('/').at(-2) ?? '', manifest }));
    onNames(skills.sort((one, other) => (one.manifest.path < other.manifest.path ? -1 : 1)));
  };
  const watcher = lifetime.add(vscode.workspace.createFileSystemWatcher(`**/${pattern}`, false, true, false));
  const events = [
    watcher.onDidCreate,
    watcher.onDidDelete,
    vscode.workspace.onDidChangeWorkspaceFolders,
    vscode.workspace.onDidGrantWorkspaceTrust,
  ];
  events.forEach((event: vscode.Event<unknown>) => lifetime.add(event(() => void look())));
  void look();
}
