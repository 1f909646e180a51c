import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { views } from '../contract/identity.ts';
import type { DefinitionProblem } from '../definitions/serverDefinition.ts';
import type { ServerSnapshot, ToolInfo } from '../host/serverState.ts';
import { nativeText } from './nativeText.ts';
import { describeServer } from './serverDescription.ts';

export interface ServersModel {
  servers(): readonly ServerSnapshot[];
  /** Problems of definitions too broken to be a server. */
  problems(): readonly DefinitionProblem[];
  /** Permission questions that wait in the consent panel. */
  openQuestions(): number;
  readonly onDidChange: Event<void>;
}

/** Kept from one refresh to the next: a button pressed while the tree is drawn anew would lose its server otherwise. */
interface ServerNode {
  readonly kind: 'server';
  server: ServerSnapshot;
}

type ServersNode =
  | ServerNode
  | { readonly kind: 'tool'; readonly server: ServerSnapshot; readonly tool: ToolInfo }
  | { readonly kind: 'problem'; readonly problem: DefinitionProblem };

/** `duplex.servers`: every configured server, what state it is in, and its tools. */
export class ServersTree implements vscode.TreeDataProvider<ServersNode>, Disposable {
  readonly #model: ServersModel;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<ServersNode | undefined>());
  readonly #nodes = new Map<string, ServerNode>();
  #shown = '';
  readonly #view: vscode.TreeView<ServersNode>;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(model: ServersModel) {
    this.#model = model;
    this.#view = this.#lifetime.add(vscode.window.createTreeView(views.servers, { treeDataProvider: this }));
    this.#lifetime.add(model.onDidChange(() => this.#refresh()));
    this.#refresh();
  }

  getChildren(node?: ServersNode): ServersNode[] {
    if (node === undefined) {
      const problems = this.#model.problems().map((problem) => ({ kind: 'problem', problem }) as const);
      return [...this.#nodes.values(), ...problems];
    }
    if (node.kind !== 'server') {
      return [];
    }
    const { server } = node;
    return [
      ...server.problems.map((problem) => ({ kind: 'problem', problem }) as const),
      ...server.tools.map((tool) => ({ kind: 'tool', server, tool }) as const),
    ];
  }

  getTreeItem(node: ServersNode): vscode.TreeItem {
    switch (node.kind) {
      case 'server':
        return serverItem(node.server);
      case 'tool':
        return toolItem(node.server, node.tool);
      case 'problem':
        return problemItem(node.problem);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Returns the nodes that look different now. */
  #updateNodes(): ServerNode[] {
    const servers = this.#model.servers();
    const changed = servers.flatMap((server) => {
      const node = this.#nodes.get(server.id);
      const isChanged = node !== undefined && appearance(node.server) !== appearance(server);
      if (node !== undefined) {
        node.server = server;
      }
      return isChanged ? [node] : [];
    });
    const nodes = servers.map((server) => this.#nodes.get(server.id) ?? { kind: 'server' as const, server });
    this.#nodes.clear();
    nodes.forEach((node) => this.#nodes.set(node.server.id, node));
    return changed;
  }

  #refresh(): void {
    const outline = JSON.stringify([this.#model.servers().map(({ id }) => id), this.#model.problems()]);
    const isSameOutline = outline === this.#shown;
    this.#shown = outline;
    const changed = this.#updateNodes();
    if (isSameOutline) {
      changed.forEach((node) => this.#changed.fire(node));
    } else {
      this.#changed.fire(undefined);
    }
    const waiting = this.#model.openQuestions();
    this.#view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: vscode.l10n.t('{0} permission questions wait', waiting) };
  }
}

/** All that a row and its children show. */
function appearance(server: ServerSnapshot): string {
  return JSON.stringify([describeServer(server), server.label, server.tools, server.problems]);
}

function serverItem(server: ServerSnapshot): vscode.TreeItem {
  const { icon, colour, text, sentence, abilities } = describeServer(server);
  const hasChildren = server.tools.length + server.problems.length > 0;
  const state = hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const item = new vscode.TreeItem(nativeText(server.label), state);
  item.id = server.id;
  item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
  item.description = nativeText(text, 80);
  item.tooltip = nativeText(sentence, 1_000);
  item.contextValue = ['server', ...abilities].join(' ');
  item.accessibilityInformation = { label: `${nativeText(server.label)}, ${nativeText(text, 80)}` };
  return item;
}

function toolItem(server: ServerSnapshot, tool: ToolInfo): vscode.TreeItem {
  const item = new vscode.TreeItem(nativeText(tool.title ?? tool.name));
  item.id = `${server.id}/${tool.name}`;
  item.iconPath = new vscode.ThemeIcon('symbol-method');
  item.description = nativeText(tool.title === undefined ? tool.description : tool.name, 120);
  item.tooltip = nativeText(`${tool.name}: ${tool.description}`, 1_000);
  item.contextValue = 'tool';
  return item;
}

function problemItem(problem: DefinitionProblem): vscode.TreeItem {
  const item = new vscode.TreeItem(nativeText(problem.server ?? problem.location));
  const isError = problem.severity === 'error';
  item.iconPath = new vscode.ThemeIcon(
    isError ? 'error' : 'warning',
    new vscode.ThemeColor(isError ? 'list.errorForeground' : 'list.warningForeground'),
  );
  item.description = nativeText(problem.message, 160);
  item.tooltip = nativeText(`${problem.message} (${problem.location})`, 1_000);
  item.contextValue = 'problem';
  return item;
}
