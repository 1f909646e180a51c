import * as vscode from 'vscode';
import { joinCommand } from '../../../base/commandLine.ts';
import { type JsonObject, type JsonValue, textOfJson } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { FilledDefinition } from '../../../definitions/pasted/newInputs.ts';
import type { ServerPlace } from '../../../editor/serverSettings.ts';
import { nativeText } from '../../nativeText.ts';

/** A server as it will be written. */
export interface NewEntry extends FilledDefinition {
  readonly name: string;
  readonly leftOut: readonly string[];
}

export type EntryChoice =
  | { readonly kind: 'write'; readonly place: ServerPlace }
  /** The person wants another name for this server. */
  | { readonly kind: 'rename'; readonly name: string };

interface EntryItem extends vscode.QuickPickItem {
  /** What choosing the line means; a line that only shows something has none. */
  readonly choice?: EntryChoice | undefined;
}

/** Shows what will be written, and asks where. The place that the pasted text names comes first. Undefined when the person gives up. */
export async function askPlace(entries: readonly NewEntry[], wanted: ServerPlace | undefined): Promise<EntryChoice | undefined> {
  const items = [...placeItems(wanted), ...entries.flatMap((entry) => entryItems(entry))];
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Add Server: Where to save it'),
      placeHolder: vscode.l10n.t('Below is what will be written'),
      ignoreFocusOut: true,
      matchOnDescription: true,
    });
    if (picked === undefined || picked.choice !== undefined) {
      return picked?.choice;
    }
  }
}

function placeItems(wanted: ServerPlace | undefined): readonly EntryItem[] {
  const user: EntryItem = {
    choice: { kind: 'write', place: 'user' },
    label: `$(account) ${vscode.l10n.t('User settings')}`,
    detail: vscode.l10n.t('For you, in every workspace'),
  };
  const workspace: EntryItem = {
    choice: { kind: 'write', place: 'workspace' },
    label: `$(folder) ${vscode.l10n.t('Workspace settings')}`,
    detail: vscode.l10n.t('For everybody who opens this workspace, if the file is shared'),
  };
  if (vscode.workspace.workspaceFolders === undefined) {
    return [user];
  }
  return wanted === 'workspace' ? [workspace, user] : [user, workspace];
}

/** The longest value in a line; the question before the start shows all of it. */
const maxShown = 1_000;

function entryItems({ name, definition, values, inputs, leftOut }: NewEntry): readonly EntryItem[] {
  const rename: EntryItem = {
    choice: { kind: 'rename', name },
    label: `$(edit) ${nativeText(name)}`,
    description: vscode.l10n.t('the name; choose another'),
  };
  const lines = [...linesOf(definition), ...inputs.map(({ id }) => [`\${input:${id}}`, inputWords(values.has(id))] as const)];
  return [
    { label: nativeText(name), kind: vscode.QuickPickItemKind.Separator },
    rename,
    ...lines.map(([label, description]) => ({ label: nativeText(label), description: nativeText(description, maxShown) })),
    ...(leftOut.length === 0
      ? []
      : [{ label: `$(warning) ${vscode.l10n.t('Left out')}`, description: nativeText(leftOut.join(', '), maxShown) }]),
  ];
}

function inputWords(isKnown: boolean): string {
  return isKnown ? vscode.l10n.t('its value is kept in your secret storage, not in the settings') : vscode.l10n.t('asked for at the start');
}

/** What a definition starts or connects to, in one line. */
export function summaryOf({ command, args, url }: JsonObject): string {
  const words = [command, ...(Array.isArray(args) ? (args as readonly JsonValue[]) : [])];
  return url === undefined ? joinCommand(words.map(textOfJson)) : textOfJson(url);
}

/** The fields of a definition, each with its value; the program stands in one line with its arguments. */
function linesOf({ command, args, ...others }: JsonObject): readonly (readonly [label: string, value: string])[] {
  const program = command === undefined ? [] : [[vscode.l10n.t('command'), summaryOf({ command, args })] as const];
  const fields = Object.entries(others).flatMap(([key, value]) =>
    isJsonObject(value)
      ? Object.entries(value).map(([inner, each]) => [`${key}.${inner}`, textOfJson(each)] as const)
      : [[key, textOfJson(value)] as const],
  );
  return [...program, ...fields];
}
