import * as vscode from 'vscode';
import { type CommandLine, parseCommandLine } from '../../base/commandLine.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { addServers, configuredNames, type ServerPlace } from '../../editor/serverSettings.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import { definitionProblemSentence } from './serverDescription.ts';
import { nativeText } from '../nativeText.ts';
import { type NameProblem, type PastedServers, problemOfServerName, readPastedServers, suggestedName } from './pastedServers.ts';
import type { ServersTree } from './serversTree.ts';

interface AddedServers {
  readonly place: ServerPlace;
  readonly names: readonly string[];
}

/**
 * `Add Server…`: asks for a program, an address or pasted JSON, and writes an entry into the settings. Undefined when the person
 * gave up.
 */
export async function addServer(): Promise<AddedServers | undefined> {
  const input = await askDefinition();
  const servers = input === undefined ? undefined : await nameServers(input);
  const place = servers === undefined ? undefined : await askPlace();
  if (servers === undefined || place === undefined) {
    return undefined;
  }
  await addServers(place, servers);
  return { place, names: Object.keys(servers) };
}

/** Gives each server a name: the one that was pasted with it if that is free, else one that the person types. */
async function nameServers(input: DefinitionInput): Promise<JsonObject | undefined> {
  const servers: Record<string, JsonValue | undefined> = {};
  const wanted = input.kind === 'named' ? Object.entries(input.servers) : [[undefined, input.definition] as const];
  for (const [name, definition] of wanted) {
    const taken = [...configuredNames(), ...Object.keys(servers)];
    const isFree = name !== undefined && problemOfServerName(name, taken) === undefined;
    const chosen = isFree ? name : await askName(name ?? suggestedName(definition), taken);
    if (chosen === undefined) {
      return undefined;
    }
    servers[chosen] = definition;
  }
  return servers;
}

async function askName(suggestion: string, taken: readonly string[]): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Server: Name'),
    prompt: vscode.l10n.t('What to call the server'),
    value: freeName(suggestion, taken),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const problem = problemOfServerName(text.trim(), taken);
      return problem === undefined ? undefined : nameProblemWords(problem, text.trim());
    },
  });
  return name?.trim();
}

function freeName(suggestion: string, taken: readonly string[]): string {
  let name = suggestion;
  for (let count = 2; taken.includes(name); count += 1) {
    name = `${suggestion}-${count}`;
  }
  return name;
}

function nameProblemWords(problem: NameProblem, name: string): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('The server needs a name.');
    case 'reserved':
      return vscode.l10n.t("“{0}” is the editor's own server; choose another name.", nativeText(name));
    case 'taken':
      return vscode.l10n.t('There is a server “{0}” already.', nativeText(name));
    case 'notAllowed':
      return vscode.l10n.t('A name has 1 to 100 visible characters, and no @ but at its start.');
  }
}

async function askPlace(): Promise<ServerPlace | undefined> {
  const user = {
    place: 'user' as const,
    label: `$(account) ${vscode.l10n.t('User settings')}`,
    detail: vscode.l10n.t('For you, in every workspace'),
  };
  const workspace = {
    place: 'workspace' as const,
    label: `$(folder) ${vscode.l10n.t('Workspace settings')}`,
    detail: vscode.l10n.t('For everybody who opens this workspace, if the file is shared'),
  };
  if (vscode.workspace.workspaceFolders === undefined) {
    return user.place;
  }
  const options = { title: vscode.l10n.t('Add Server: Where to save it'), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick([user, workspace], options))?.place;
}

type DefinitionInput = Extract<PastedServers, { kind: 'named' | 'single' }>;

/** Asks what kind of server it is, and then for its definition. */
async function askDefinition(): Promise<DefinitionInput | undefined> {
  const items = [
    {
      id: 'program',
      label: `$(terminal) ${vscode.l10n.t('Program')}`,
      detail: vscode.l10n.t('A command that runs on this machine, such as npx -y some-server'),
    } as const,
    {
      id: 'remote',
      label: `$(globe) ${vscode.l10n.t('Remote URL')}`,
      detail: vscode.l10n.t('A server somewhere else, by its address'),
    } as const,
    {
      id: 'json',
      label: `$(json) ${vscode.l10n.t('Paste JSON')}`,
      detail: vscode.l10n.t('As a README or another host has it: {0}', '{"mcpServers": …}'),
    } as const,
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Add Server'),
    placeHolder: vscode.l10n.t('What kind of server?'),
    ignoreFocusOut: true,
  });
  switch (picked?.id) {
    case 'program':
      return single(await askProgram(vscode.l10n.t('Add Server: Program')));
    case 'remote':
      return single(await askUrl(vscode.l10n.t('Add Server: Remote URL')));
    case 'json':
      return askJson();
    case undefined:
      return undefined;
  }
}

function isUsable(pasted: PastedServers): pasted is DefinitionInput {
  return pasted.kind === 'named' || pasted.kind === 'single';
}

function single(definition: JsonObject | undefined): DefinitionInput | undefined {
  return definition === undefined ? undefined : { kind: 'single', definition };
}

export async function askProgram(title: string, value = ''): Promise<JsonObject | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    value,
    prompt: vscode.l10n.t('The program and its arguments, as in a terminal. No shell runs it; quotes keep words together.'),
    placeHolder: 'npx -y @modelcontextprotocol/server-memory',
    ignoreFocusOut: true,
    validateInput: (typed) => commandLineWords(parseCommandLine(typed)),
  });
  const line = text === undefined ? undefined : parseCommandLine(text);
  return line?.kind === 'ok' ? { command: line.command, ...(line.args.length === 0 ? {} : { args: line.args }) } : undefined;
}

function commandLineWords(line: CommandLine): string | undefined {
  switch (line.kind) {
    case 'ok':
      return undefined;
    case 'empty':
      return vscode.l10n.t('Which program?');
    case 'openQuote':
      return vscode.l10n.t('A quote is not closed.');
    case 'shellSyntax':
      return vscode.l10n.t('“{0}” means something only to a shell, and no shell is used.', nativeText(line.sign));
  }
}

export async function askUrl(title: string, value = ''): Promise<JsonObject | undefined> {
  const url = await vscode.window.showInputBox({
    title,
    value,
    prompt: vscode.l10n.t('The address of the MCP server'),
    placeHolder: 'https://example.com/mcp',
    ignoreFocusOut: true,
    validateInput: (typed) =>
      isServerUrl(typed.trim()) ? undefined : vscode.l10n.t('An address begins with https://, http://, wss:// or ws://.'),
  });
  return url === undefined ? undefined : { url: url.trim() };
}

function isServerUrl(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:', 'wss:', 'ws:'].includes(new URL(text).protocol);
}

/** The clipboard, if it holds definitions of servers. It is read only on the desktop: in a browser that would need a permission. */
async function clipboardJson(): Promise<string> {
  const text = vscode.env.uiKind === vscode.UIKind.Desktop ? await vscode.env.clipboard.readText() : '';
  return isUsable(readPastedServers(text)) ? text.replace(/\s*\n\s*/g, ' ') : '';
}

async function askJson(): Promise<DefinitionInput | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Server: Paste JSON'),
    prompt: vscode.l10n.t('One definition, or several by name'),
    value: await clipboardJson(),
    placeHolder: '{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "server-memory"]}}}',
    ignoreFocusOut: true,
    validateInput: (typed) => pastedWords(readPastedServers(typed)),
  });
  const pasted = text === undefined ? undefined : readPastedServers(text);
  return pasted !== undefined && isUsable(pasted) ? pasted : undefined;
}

function pastedWords(pasted: PastedServers): string | undefined {
  switch (pasted.kind) {
    case 'named':
    case 'single':
      return undefined;
    case 'notJson':
      return vscode.l10n.t('This is not JSON yet.');
    case 'noServers':
      return vscode.l10n.t('There is no server in it.');
    case 'invalid':
      return nativeText(definitionProblemSentence(pasted.problem), 300);
  }
}

const patienceMs = 5_000;

/** Shows the first of the new servers in the tree. Waits until it is known, because changed settings take a while to arrive here. */
export async function revealAdded({ place, names }: AddedServers, registry: HostRegistry, tree: ServersTree): Promise<void> {
  // In a remote window VS Code may have written the person's entry into the settings of the remote.
  const isThere = (scope: string): boolean => scope === place || (place === 'user' && scope === 'remote');
  const find = (): string | undefined => registry.servers().find(({ name, scope }) => names.includes(name) && isThere(scope))?.id;
  const id = find() ?? (await nextTime(registry, find));
  if (id !== undefined) {
    await tree.reveal(id);
  }
}

function nextTime(registry: HostRegistry, find: () => string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const finish = (id: string | undefined): void => {
      clearTimeout(timer);
      watching.dispose();
      resolve(id);
    };
    const timer = setTimeout(() => finish(undefined), patienceMs);
    const watching = registry.onDidChange(() => {
      const id = find();
      if (id !== undefined) {
        finish(id);
      }
    });
  });
}
