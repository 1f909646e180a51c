import * as vscode from 'vscode';
import type { JsonObject } from '../base/json.ts';
import type { ServerSnapshot, ToolInfo } from '../host/shared/serverState.ts';
import type { SchemaField } from '../schemaForms/schemaField.ts';
import { prefilledArguments, readArguments, takesArguments, toolParameters, type ArgumentsProblem } from '../schemaForms/toolArguments.ts';
import { nativeText } from './nativeText.ts';

export interface PickedTool {
  readonly server: ServerSnapshot;
  readonly tool: ToolInfo;
}

/** Any tool of any running server. */
export async function pickTool(servers: readonly ServerSnapshot[]): Promise<PickedTool | undefined> {
  const items = servers.flatMap((server) =>
    server.tools.map((tool) => ({
      target: { server, tool },
      label: nativeText(tool.title ?? tool.name),
      description: nativeText(tool.title === undefined ? server.label : `${server.label} · ${tool.name}`),
      detail: nativeText(tool.description, 160),
    })),
  );
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No running MCP server has a tool. Start one in the Duplex view first.'));
    return undefined;
  }
  const options = { placeHolder: vscode.l10n.t('Choose a tool to run'), matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.target;
}

/** Arguments as JSON, checked against the tool's schema while they are typed. Undefined when the person gave up. */
export async function askArguments({ server, tool }: PickedTool): Promise<JsonObject | undefined> {
  const parameters = toolParameters(tool.inputSchema);
  if (!takesArguments(parameters)) {
    return {};
  }
  const value = prefilledArguments(parameters);
  const typed = await vscode.window.showInputBox({
    title: nativeText(`${server.label}: ${tool.name}`),
    prompt: parameterList(parameters),
    value,
    valueSelection: [value.length - 1, value.length - 1],
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readArguments(text, parameters);
      return read.kind === 'ok' ? undefined : problemWords(read);
    },
  });
  const read = typed === undefined ? undefined : readArguments(typed, parameters);
  return read?.kind === 'ok' ? read.arguments : undefined;
}

function parameterList({ properties = [], required }: SchemaField): string {
  const names = properties.map((field) => (required.includes(field) ? field.name : vscode.l10n.t('{0} (optional)', field.name)));
  return nativeText(vscode.l10n.t('Arguments as JSON: {0}', names.join(', ')), 240);
}

function problemWords(problem: ArgumentsProblem): string {
  switch (problem.kind) {
    case 'notJson':
      return vscode.l10n.t('This is not JSON yet.');
    case 'notObject':
      return vscode.l10n.t('The arguments must be a JSON object.');
    case 'missing':
      return vscode.l10n.t('“{0}” is missing.', nativeText(problem.path));
    case 'wrongType':
      return vscode.l10n.t('“{0}” must be of type {1}.', nativeText(problem.path), nativeText(problem.expected));
    case 'notAllowed':
      return vscode.l10n.t('“{0}” must be one of {1}.', nativeText(problem.path), nativeText(problem.allowed));
  }
}
