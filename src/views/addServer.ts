import * as vscode from 'vscode';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { addServers, configuredNames, type ServerPlace } from '../editor/serverSettings.ts';
import { askDefinition, type DefinitionInput } from './addServerInput.ts';
import { nativeText } from './nativeText.ts';
import { problemOfServerName, suggestedName, type NameProblem } from './pastedServers.ts';

export interface AddedServers {
  readonly place: ServerPlace;
  readonly names: readonly string[];
}

/** Guides from a program, an address or pasted JSON to an entry in the settings. Undefined when the person gave up. */
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

/** Names that came along are kept where they are free. */
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
