import * as vscode from 'vscode';
import type { DefinitionProblem } from '../definitions/serverDefinition.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import { commandId } from './commandTable.ts';
import { problemSentence } from './errorSentence.ts';
import { nativeText } from './nativeText.ts';
import { describeServer } from './serverDescription.ts';
import { commandOf, type GroupKind, type GroupNode, type Member, type MemberNode } from './serverNodes.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export function serverItem(server: ServerSnapshot, isSignedIn: boolean): vscode.TreeItem {
  const { icon, colour, text, sentence, advice, facts, abilities } = describeServer(server, isSignedIn);
  const { tools, prompts, resources, templates, problems } = server;
  const hasChildren = tools.length + prompts.length + resources.length + templates.length + problems.length > 0;
  const item = new vscode.TreeItem(nativeText(server.label), hasChildren ? Collapsed : None);
  const lines = [sentence, ...(advice === undefined ? [] : [advice]), ...facts];
  item.id = server.id;
  item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
  item.description = nativeText(text, 80);
  item.tooltip = lines.map((line) => nativeText(line, 600)).join('\n');
  item.contextValue = ['server', ...abilities].join(' ');
  item.accessibilityInformation = { label: `${nativeText(server.label)}, ${nativeText(text, 80)}` };
  return item;
}

export function groupItem(node: GroupNode): vscode.TreeItem {
  const { server } = node.parent;
  const item = new vscode.TreeItem(groupTitle(node.group), node.group === 'tools' ? Expanded : Collapsed);
  item.id = `${server.id}/${node.group}`;
  item.description = String(server[node.group].length);
  item.contextValue = 'group';
  return item;
}

function groupTitle(group: GroupKind): string {
  switch (group) {
    case 'tools':
      return vscode.l10n.t('Tools');
    case 'prompts':
      return vscode.l10n.t('Prompts');
    case 'resources':
      return vscode.l10n.t('Resources');
    case 'templates':
      return vscode.l10n.t('Templates');
  }
}

export function memberItem(node: MemberNode, modelName: string | undefined): vscode.TreeItem {
  const { icon, name, title, description } = wordsOf(node.member);
  const item = new vscode.TreeItem(nativeText(title ?? name));
  item.id = `${node.server.id}/${node.parent.group}/${node.key}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = nativeText(title === undefined ? description : name, 120);
  // Else the tooltip is read instead of it.
  item.accessibilityInformation = { label: [nativeText(title ?? name), item.description].filter((part) => part !== '').join(', ') };
  const known = modelName === undefined ? '' : vscode.l10n.t('Models know it as {0}', modelName);
  item.tooltip = [name, description, known]
    .filter((line) => line !== '')
    .map((line) => nativeText(line, 1_000))
    .join('\n');
  item.contextValue = node.member.kind;
  item.command = { command: commandId(commandOf(node.member)), title: '', arguments: [node] };
  return item;
}

function wordsOf(member: Member): { icon: string; name: string; title: string | undefined; description: string } {
  switch (member.kind) {
    case 'tool':
      return { icon: 'symbol-method', ...member.tool };
    case 'prompt':
      return { icon: 'comment', ...member.prompt };
    case 'resource': {
      const { uri, name, title, description } = member.resource;
      return { icon: 'file', name: uri, title: title ?? name, description };
    }
    case 'template': {
      const { uriTemplate, name, title, description } = member.template;
      return { icon: 'symbol-snippet', name: uriTemplate, title: title ?? name, description };
    }
  }
}

export function problemItem(problem: DefinitionProblem): vscode.TreeItem {
  const item = new vscode.TreeItem(nativeText(problem.server ?? problem.location));
  const isError = problem.severity === 'error';
  item.iconPath = new vscode.ThemeIcon(
    isError ? 'error' : 'warning',
    new vscode.ThemeColor(isError ? 'list.errorForeground' : 'list.warningForeground'),
  );
  const sentence = problemSentence(problem);
  item.description = nativeText(sentence, 160);
  item.tooltip = nativeText(`${sentence} (${problem.location})`, 1_000);
  item.accessibilityInformation = { label: `${nativeText(problem.server ?? problem.location)}, ${item.description}` };
  item.contextValue = 'problem';
  return item;
}
