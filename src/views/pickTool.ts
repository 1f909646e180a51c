import * as vscode from 'vscode';
import type { Claim } from '../contract/questions/claims.ts';
import type { KnownTool } from '../host/byHand/knownTools.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import { nativeText } from './nativeText.ts';
import { describeServer } from './serverDescription.ts';
import { nothingOffered } from './sentences/nothingOffered.ts';
import type { ToolChoice } from './toolChoices.ts';

/** Without a tool: the server is to be started, so that its tools can be seen. */
export interface PickedTool {
  readonly serverId: string;
  readonly tool: string | undefined;
}

type ChoiceItem = vscode.QuickPickItem & { readonly target?: PickedTool };

/** It is searched as well, and so longer than what is seen of it. */
const maxDetail = 400;

/** Any tool of any server, or of the only one that was looked at: by its name or by words of its description. */
export async function pickTool(choices: readonly ToolChoice[], only?: ServerSnapshot): Promise<PickedTool | undefined> {
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(nothingOffered('tools', only && nativeText(only.label), vscode.l10n.t));
    return undefined;
  }
  const options = {
    placeHolder: vscode.l10n.t('Choose a tool to run'),
    matchOnDescription: true,
    matchOnDetail: true,
    // After a start question: its page closes, VS Code moves the focus, and the list must not close with it.
    ignoreFocusOut: only !== undefined,
  };
  const chosen: ChoiceItem | undefined = await vscode.window.showQuickPick(choices.map(toItem), options);
  return chosen?.target;
}

function toItem(choice: ToolChoice): ChoiceItem {
  switch (choice.kind) {
    case 'heading': {
      const label = choice.server === undefined ? vscode.l10n.t('recently used') : nativeText(choice.server.label);
      return { label, kind: vscode.QuickPickItemKind.Separator };
    }
    case 'tool':
      return toolItem(choice.server, choice.tool);
    case 'server':
      return {
        label: vscode.l10n.t('Start “{0}”', nativeText(choice.server.label)),
        description: nativeText(describeServer(choice.server).text, 80),
        detail: vscode.l10n.t('Its tools are not known before it runs.'),
        iconPath: new vscode.ThemeIcon('play'),
        target: { serverId: choice.server.id, tool: undefined },
      };
  }
}

function toolItem(server: ServerSnapshot, { name, title, description, claims }: KnownTool): ChoiceItem {
  const state = server.state.kind === 'ready' ? [] : [describeServer(server).text];
  const facts = [server.label, ...(title === undefined ? [] : [name]), ...state, ...claimWords(claims)];
  return {
    label: nativeText(title ?? name),
    description: nativeText(facts.join(' · ')),
    detail: nativeText(description, maxDetail),
    iconPath: new vscode.ThemeIcon(iconOf(claims)),
    target: { serverId: server.id, tool: name },
  };
}

/** What the server says of it, in few words: a claim, which is why it is called one. */
function claimWords(claims: readonly Claim[]): string[] {
  if (claims.includes('readOnly')) {
    return [vscode.l10n.t('claims to be read-only')];
  }
  return claims.includes('destructive') ? [vscode.l10n.t('may destroy or overwrite')] : [];
}

function iconOf(claims: readonly Claim[]): string {
  return claims.includes('readOnly') ? 'eye' : claims.includes('destructive') ? 'warning' : 'symbol-method';
}
