import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifecycle.ts';

const folders = '{.agents,.claude,.github}';
const pattern = `${folders}/skills/*/SKILL.md`;
/** The most skills of the workspace whose names are found. */
const maxNamed = 30;

/** How long after the last event the folders are looked at once more: VS Code misses files in a folder that came a moment before. */
const lookAgainMs = 1_000;

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
  let again: NodeJS.Timeout | undefined;
  lifetime.add({ dispose: () => clearTimeout(again) });
  const lookTwice = (): void => {
    clearTimeout(again);
    again = setTimeout(() => void look(), lookAgainMs);
    void look();
  };
  // Of folders that come or go as a whole, VS Code may tell the outermost alone.
  const watched = `**/${folders}{,/skills,/skills/*,/skills/*/SKILL.md}`;
  const watcher = lifetime.add(vscode.workspace.createFileSystemWatcher(watched, false, true, false));
  const events = [
    watcher.onDidCreate,
    watcher.onDidDelete,
    vscode.workspace.onDidChangeWorkspaceFolders,
    vscode.workspace.onDidGrantWorkspaceTrust,
  ];
  events.forEach((event: vscode.Event<unknown>) => lifetime.add(event(lookTwice)));
  void look();
}
