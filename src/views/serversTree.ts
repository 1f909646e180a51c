import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { views } from '../contract/identity.ts';
import type { DefinitionProblem } from '../definitions/serverDefinition.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import { describeServer } from './serverDescription.ts';
import { groupItem, memberItem, problemItem, serverItem } from './serverItems.ts';
import { groupsOf, membersOf, serverNode, type ServerNode, type ServersNode } from './serverNodes.ts';

export interface ServersModel {
  servers(): readonly ServerSnapshot[];
  /** Problems of definitions too broken to be a server. */
  problems(): readonly DefinitionProblem[];
  isSignedIn(serverId: string): boolean;
  /** What the model calls a tool; `undefined` while its server does not run. */
  modelName(serverId: string, tool: string): string | undefined;
  /** Everything that waits for the person's answer. */
  openQuestions(): number;
  readonly onDidChange: Event<void>;
}

/** `duplex.servers`: every configured server, what state it is in, and what it offers. */
export class ServersTree implements vscode.TreeDataProvider<ServersNode>, Disposable {
  readonly #model: ServersModel;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<ServersNode | undefined>());
  readonly #nodes = new Map<string, ServerNode>();
  readonly #appearances = new Map<string, string>();
  #shown = '';
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
        return [...this.#nodes.values(), ...this.#model.problems().map(problemNode)];
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
        return serverItem(node.server, this.#model.isSignedIn(node.server.id));
      case 'group':
        return groupItem(node);
      case 'member':
        return memberItem(node, node.member.kind === 'tool' ? this.#model.modelName(node.server.id, node.member.tool.name) : undefined);
      case 'problem':
        return problemItem(node.problem);
    }
  }

  /** Brings a server into sight; one that is not there (yet) is no mistake. */
  async reveal(id: string): Promise<void> {
    const node = this.#nodes.get(id);
    if (node !== undefined) {
      await this.#view.reveal(node, { select: true, focus: true });
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
      const looks = appearance(server, this.#model.isSignedIn(server.id));
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
    const tooltip = waiting === 1 ? vscode.l10n.t('1 question waits') : vscode.l10n.t('{0} questions wait', waiting);
    this.#view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  }
}

function problemNode(problem: DefinitionProblem): ServersNode {
  return { kind: 'problem', problem };
}

/** All that a row and its children show. */
function appearance(server: ServerSnapshot, isSignedIn: boolean): string {
  const { label, tools, prompts, resources, templates, problems } = server;
  return JSON.stringify([describeServer(server, isSignedIn), label, tools, prompts, resources, templates, problems]);
}
