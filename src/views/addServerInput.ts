import * as vscode from 'vscode';
import { parseCommandLine, type CommandLine } from '../base/commandLine.ts';
import type { JsonObject } from '../base/json.ts';
import { problemSentence } from './errorSentence.ts';
import { nativeText } from './nativeText.ts';
import { readPastedServers, type PastedServers } from './pastedServers.ts';

export type DefinitionInput = Extract<PastedServers, { kind: 'named' | 'single' }>;

/** The first step of adding a server: what it is. */
export async function askDefinition(): Promise<DefinitionInput | undefined> {
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

/** Only on the desktop, where it needs no permission of the browser; and only if it is what is asked for. */
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
      return nativeText(problemSentence(pasted.problem), 300);
  }
}
