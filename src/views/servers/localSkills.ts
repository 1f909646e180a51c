import * as vscode from 'vscode';
import { nativeText } from '../nativeText.ts';
import type { RowNode } from './serverNodes.ts';

export interface NamedSkill {
  readonly name: string;
  readonly manifest: vscode.Uri;
}

/** The rows of the skills in folders of the workspace; no row when there are none. Only their names are known here. */
export function localSkillRows(skills: readonly NamedSkill[]): readonly RowNode[] {
  if (skills.length === 0) {
    return [];
  }
  const item = new vscode.TreeItem(vscode.l10n.t('Skills of This Workspace'), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = 'localSkills';
  item.iconPath = new vscode.ThemeIcon('mortar-board');
  item.description = String(skills.length);
  item.tooltip = vscode.l10n.t('Instructions for models in files of this workspace. Before a model is told of them, you are asked.');
  item.contextValue = 'group';
  return [{ kind: 'row', item, rows: skills.map((skill) => ({ kind: 'row', item: skillItem(skill), rows: [] })) }];
}

function skillItem({ name, manifest }: NamedSkill): vscode.TreeItem {
  const item = new vscode.TreeItem(nativeText(name));
  item.id = manifest.toString();
  item.iconPath = new vscode.ThemeIcon('file');
  item.description = nativeText(vscode.workspace.asRelativePath(manifest), 120);
  item.tooltip = nativeText(manifest.fsPath, 600);
  item.contextValue = 'localSkill';
  item.command = { command: 'vscode.open', title: '', arguments: [manifest] };
  return item;
}
