// servers/: the MCP servers that Duplex uses: their tree (this file), their state in words, adding, changing and starting them.
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { views } from '../../contract/identity.ts';
import type { DefinitionProblem } from '../../definitions/serverDefinition.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { commandId } from '../commandTable.ts';
import { contextFlag } from '../native/contextFlags.ts';
import { nativeText } from '../nativeText.ts';
import { definitionProblemSentence, describeServer, type OfferState, type ServerDescription } from './serverDescription.ts';
import {
  commandOf,
  type GroupKind,
  type GroupNode,
  groupsOf,
  type Member,
  type MemberNode,
  membersOf,
  type RowNode,
  serverNode,
  type ServerNode,
  type ServersNode,
} from './serverNodes.ts';

export interface ServersModel {
  servers(): readonly ServerSnapshot[];
  /** The problems of definitions that are too broken to be a server. */
  problems(): readonly DefinitionProblem[];
  /** What is shown below the servers. */
  rows(): readonly RowNode[];
  isSignedIn(serverId: string): boolean;
  /** Whether a server can be offered to connected clients, or is. */
  offerOf(server: ServerSnapshot): OfferState | undefined;
  /** The name under which models know a tool; `undefined` while its server does not run. */
  modelName(serverId: string, tool: string): string | undefined;
  /** The number of questions that wait for the person's answer, for the badge of the view. */
  openQuestions(): number;
  readonly onDidChange: Event<void>;
}

/** The view `duplex.servers`: every configured server, its state, and what it offers. */
export class ServersTree implements vscode.TreeDataProvider<ServersNode>, Disposable {
  readonly #model: ServersModel;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<ServersNode | undefined>());
  readonly #nodes = new Map<string, ServerNode>();
  readonly #appearances = new Map<string, string>();
  #shown = '';
  readonly #tellWhetherAny = contextFlag('duplex.hasServers');
  readonly #view: vscode.TreeView<ServersNode>;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(model: ServersModel) {
    this.#model = model;
    this.#view = this.#lifetime.add(vscode.window.createTreeView(views.servers, { treeDataProvider: this, showCollapseAll: true }));
    this.#lifetime.add(model.onDidChange(() => this.#refresh()));
    this.#refresh();
  }

  getChildren(node?: ServersNode): ServersNode[] {
    switch (node?.kind) {
      case undefined:
        return [...this.#nodes.values(), ...this.#model.problems().map(problemNode), ...this.#model.rows()];
      case 'row':
        return [...node.rows];
      case 'server':
        return [...node.server.problems.map(problemNode), ...groupsOf(node)];
      case 'group':
        return membersOf(node);
      case 'member':
      case 'problem':
        return [];
    }
  }

  getParent(node: ServersNode): ServersNode | undefined {
    return node.kind === 'group' || node.kind === 'member' ? node.parent : undefined;
  }

  getTreeItem(node: ServersNode): vscode.TreeItem {
    switch (node.kind) {
      case 'server':
        return serverItem(node.server, this.#describe(node.server));
      case 'group':
        return groupItem(node);
      case 'member':
        return memberItem(node, node.member.kind === 'tool' ? this.#model.modelName(node.server.id, node.member.tool.name) : undefined);
      case 'problem':
        return problemItem(node.problem);
      case 'row':
        return node.item;
    }
  }

  /** Selects the row of a server; does nothing when there is none. */
  async reveal(id: string): Promise<void> {
    const node = this.#nodes.get(id);
    if (node !== undefined) {
      await this.#view.reveal(node, { select: true, focus: true });
    }
  }

  /** Selects the tools of a server, opened; the server itself when it has none. */
  async revealTools(id: string): Promise<void> {
    const node = this.#nodes.get(id);
    if (node !== undefined) {
      const tools = groupsOf(node).find(({ group }) => group === 'tools');
      await this.#view.reveal(tools ?? node, { select: true, focus: true, expand: true });
    }
  }

  /** Opens the view where the row of a server can be seen. The focus and the selection stay where they are. */
  async unfold(id: string): Promise<void> {
    const node = this.#nodes.get(id);
    if (node !== undefined && !this.#view.visible) {
      await this.#view.reveal(node, { select: false, focus: false });
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #describe(server: ServerSnapshot): ServerDescription {
    return describeServer(server, this.#model.isSignedIn(server.id), this.#model.offerOf(server));
  }

  /** Puts the current servers into the nodes. Returns the nodes that look different now. */
  #updateNodes(): ServerNode[] {
    const servers = this.#model.servers();
    const changed = servers.flatMap((server) => {
      const node = this.#nodes.get(server.id);
      const looks = appearance(server, this.#describe(server));
      const isChanged = this.#appearances.get(server.id) !== looks;
      this.#appearances.set(server.id, looks);
      if (node !== undefined) {
        node.server = server;
      }
      return node !== undefined && isChanged ? [node] : [];
    });
    const nodes = servers.map((server) => this.#nodes.get(server.id) ?? serverNode(server));
    this.#nodes.clear();
    nodes.forEach((node) => this.#nodes.set(node.server.id, node));
    [...this.#appearances.keys()].filter((id) => !this.#nodes.has(id)).forEach((id) => this.#appearances.delete(id));
    return changed;
  }

  #refresh(): void {
    // This editor's own server is there from the beginning, and nobody has added it.
    this.#tellWhetherAny(this.#model.servers().some(({ scope }) => scope !== 'builtIn'));
    const rows = this.#model.rows().flatMap((row) => row.rows.map(({ item }) => item.id));
    const outline = JSON.stringify([this.#model.servers().map(({ id }) => id), this.#model.problems(), rows]);
    const isSameOutline = outline === this.#shown;
    this.#shown = outline;
    const changed = this.#updateNodes();
    if (isSameOutline) {
      changed.forEach((node) => this.#changed.fire(node));
    } else {
      this.#changed.fire(undefined);
    }
    const waiting = this.#model.openQuestions();
    const tooltip = waiting === 1 ? vscode.l10n.t('1 question waits') : vscode.l10n.t('{0} questions wait', waiting);
    this.#view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  }
}

function problemNode(problem: DefinitionProblem): ServersNode {
  return { kind: 'problem', problem };
}

/** Everything that a row and its children show, as one text to compare. */
function appearance(server: ServerSnapshot, description: ServerDescription): string {
  const { label, tools, prompts, resources, templates, skills, problems } = server;
  return JSON.stringify([description, label, tools, prompts, resources, templates, skills, problems]);
}

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

function serverItem(server: ServerSnapshot, description: ServerDescription): vscode.TreeItem {
  const { icon, colour, text, sentence, advice, facts, abilities } = description;
  const { tools, prompts, resources, templates, skills, problems } = server;
  const hasChildren = [tools, prompts, resources, templates, skills, problems].some(({ length }) => length > 0);
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

function groupItem(node: GroupNode): vscode.TreeItem {
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
    case 'skills':
      return vscode.l10n.t('Skills');
  }
}

function memberItem(node: MemberNode, modelName: string | undefined): vscode.TreeItem {
  const { icon, name, title, description } = wordsOf(node.member);
  const item = new vscode.TreeItem(nativeText(title ?? name));
  item.id = `${node.server.id}/${node.parent.group}/${node.key}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = nativeText(title === undefined ? description : name, 120);
  // Without this, screen readers would read the tooltip instead.
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
    case 'skill': {
      const { uri, name, description } = member.skill;
      return { icon: 'mortar-board', name: uri, title: name, description };
    }
  }
}

function problemItem(problem: DefinitionProblem): vscode.TreeItem {
  const item = new vscode.TreeItem(nativeText(problem.server ?? problem.location));
  const isError = problem.severity === 'error';
  item.iconPath = new vscode.ThemeIcon(
    isError ? 'error' : 'warning',
    new vscode.ThemeColor(isError ? 'list.errorForeground' : 'list.warningForeground'),
  );
  const sentence = definitionProblemSentence(problem);
  item.description = nativeText(sentence, 160);
  item.tooltip = nativeText(`${sentence} (${problem.location})`, 1_000);
  item.accessibilityInformation = { label: `${nativeText(problem.server ?? problem.location)}, ${item.description}` };
  item.contextValue = 'problem';
  return item;
}
