import type { TreeItem } from 'vscode';
import type { CommandName } from '../../contract/commands.ts';
import type { DefinitionProblem } from '../../definitions/serverDefinition.ts';
import type { PromptInfo, ResourceInfo, ResourceTemplateInfo, ServerSnapshot, SkillInfo, ToolInfo } from '../../host/shared/serverState.ts';

export type GroupKind = 'tools' | 'prompts' | 'resources' | 'templates' | 'skills';
const groupKinds: readonly GroupKind[] = ['tools', 'prompts', 'resources', 'templates', 'skills'];

/**
 * The row of a server. It stays the same object from one refresh to the next: otherwise a button that is pressed while the tree
 * is drawn anew would lose its server.
 */
export interface ServerNode {
  readonly kind: 'server';
  server: ServerSnapshot;
  readonly groups: Map<GroupKind, GroupNode>;
}

export interface GroupNode {
  readonly kind: 'group';
  readonly group: GroupKind;
  readonly parent: ServerNode;
  readonly members: Map<string, MemberNode>;
}

/** One thing that a server offers, as it was when its group was last drawn. */
export type Member =
  | { readonly kind: 'tool'; readonly tool: ToolInfo }
  | { readonly kind: 'prompt'; readonly prompt: PromptInfo }
  | { readonly kind: 'resource'; readonly resource: ResourceInfo }
  | { readonly kind: 'template'; readonly template: ResourceTemplateInfo }
  | { readonly kind: 'skill'; readonly skill: SkillInfo };

export interface MemberNode {
  readonly kind: 'member';
  readonly key: string;
  readonly parent: GroupNode;
  readonly server: ServerSnapshot;
  member: Member;
}

export interface ProblemNode {
  readonly kind: 'problem';
  readonly problem: DefinitionProblem;
}

/** A row that is no server, ready to be shown. */
export interface RowNode {
  readonly kind: 'row';
  readonly item: TreeItem;
  readonly rows: readonly RowNode[];
}

export type ServersNode = ServerNode | GroupNode | MemberNode | ProblemNode | RowNode;

/** The problems of definitions that were too broken to become a server in the tree. */
export function problemsOfNoServer(problems: readonly DefinitionProblem[], servers: readonly ServerSnapshot[]): DefinitionProblem[] {
  const shown = new Set(servers.flatMap((server) => server.problems));
  return problems.filter((problem) => !shown.has(problem));
}

export function serverNode(server: ServerSnapshot): ServerNode {
  return { kind: 'server', server, groups: new Map() };
}

/** The groups of a server that are not empty. */
export function groupsOf(node: ServerNode): GroupNode[] {
  return groupKinds
    .filter((group) => node.server[group].length > 0)
    .map((group) => kept(node.groups, group, () => ({ kind: 'group', group, parent: node, members: new Map() })));
}

export function membersOf(node: GroupNode): MemberNode[] {
  const listed = keyedMembers(node.parent.server, node.group);
  const keys = new Set(listed.map(([key]) => key));
  [...node.members.keys()].filter((key) => !keys.has(key)).forEach((key) => node.members.delete(key));
  return listed.map(([key, member]) => {
    const found = kept(node.members, key, () => newMember(key, node, member));
    found.member = member;
    return found;
  });
}

/**
 * All rows that were ever made. VS Code hands back the very object that a row was made of, so an object that only looks like a
 * row was made by somebody else.
 */
const rows = new WeakSet<object>();

function newMember(key: string, parent: GroupNode, member: Member): MemberNode {
  const node: MemberNode = {
    kind: 'member',
    key,
    parent,
    member,
    get server() {
      return parent.parent.server;
    },
  };
  rows.add(node);
  return node;
}

/**
 * Whether an argument is a row that the person pressed. Anybody else, such as a task of a repository, can call a command with any
 * argument.
 */
export function isRow(node: unknown): node is MemberNode {
  return typeof node === 'object' && node !== null && rows.has(node);
}

/** Gives each member an id of its own, because a server may list one name twice. */
function keyedMembers(server: ServerSnapshot, group: GroupKind): [string, Member][] {
  const seen = new Map<string, number>();
  return namedMembers(server, group).map(([name, member]) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [count === 1 ? name : `${name}~${count}`, member];
  });
}

function namedMembers(server: ServerSnapshot, group: GroupKind): [string, Member][] {
  switch (group) {
    case 'tools':
      return server.tools.map((tool) => [tool.name, { kind: 'tool', tool }]);
    case 'prompts':
      return server.prompts.map((prompt) => [prompt.name, { kind: 'prompt', prompt }]);
    case 'resources':
      return server.resources.map((resource) => [resource.uri, { kind: 'resource', resource }]);
    case 'templates':
      return server.templates.map((template) => [template.uriTemplate, { kind: 'template', template }]);
    case 'skills':
      return server.skills.map((skill) => [skill.uri, { kind: 'skill', skill }]);
  }
}

function kept<K, V>(nodes: Map<K, V>, key: K, create: () => V): V {
  const known = nodes.get(key) ?? create();
  nodes.set(key, known);
  return known;
}

/** What the pressed row offers; undefined when the argument is no row. */
export function pickedMemberOf(node: unknown): { readonly server: ServerSnapshot; readonly member: Member } | undefined {
  return isRow(node) ? { server: node.server, member: node.member } : undefined;
}

/** The tool of the pressed row; undefined when it shows no tool. */
export function pickedToolOf(node: unknown): { readonly server: ServerSnapshot; readonly tool: ToolInfo } | undefined {
  const picked = pickedMemberOf(node);
  return picked?.member.kind === 'tool' ? { server: picked.server, tool: picked.member.tool } : undefined;
}

/** The command that a click on a row runs. */
export function commandOf(member: Member): CommandName {
  switch (member.kind) {
    case 'tool':
      return 'runTool';
    case 'prompt':
      return 'runPrompt';
    case 'resource':
    case 'template':
    case 'skill':
      return 'openResource';
  }
}
