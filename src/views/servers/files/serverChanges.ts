import * as vscode from 'vscode';
import type { JsonObject } from '../../../base/json.ts';
import { without } from '../../../base/without.ts';
import { changeEntry, putEntryBack, type ChangedEntry } from '../../../definitions/serverEntries.ts';
import type { ServerDefinition } from '../../../definitions/serverDefinition.ts';
import { entriesIn, writeEntries, type EntryPlace } from '../../../editor/serverSettings.ts';
import { nativeText } from '../../nativeText.ts';
import { openDefinition } from './openDefinition.ts';

/** `Disable Server…` and `Enable Server…`: changes the entry in the place where the server is configured. */
export async function setDisabled(definition: ServerDefinition, isDisabled: boolean): Promise<void> {
  await changeOrOpen(definition, (entry) => (isDisabled ? { ...entry, disabled: true } : without(entry, 'disabled')));
}

/** Changes the entry of a server, whatever stands there by now. */
export async function changeServer(definition: ServerDefinition, change: (entry: JsonObject) => JsonObject): Promise<void> {
  await changeOrOpen(definition, change);
}

export interface RemovalOptions {
  /** Called when Undo was not taken. */
  readonly onGone: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** `Remove Server…`: removes the entry at once and offers Undo. */
export async function removeServer(definition: ServerDefinition, options: RemovalOptions): Promise<void> {
  const removed = await changeOrOpen(definition, () => undefined);
  if (removed !== undefined) {
    // Not awaited: the command is done, the notification may stand for long.
    void offerUndo(definition, removed, options).catch(options.report);
  }
}

/** Offers Undo until the entry is back or nobody wants it: the only copy of the entry is here. */
async function offerUndo(definition: ServerDefinition, removed: ChangedEntry, { onGone, report }: RemovalOptions): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const sentence = vscode.l10n.t(
    'The server “{0}” was removed from {1}.',
    nativeText(definition.label, 60),
    nativeText(definition.location, 120),
  );
  while ((await vscode.window.showInformationMessage(sentence, undo)) === undo) {
    try {
      await putBack(definition, removed);
      return;
    } catch (error) {
      report(error);
    }
  }
  await onGone();
}

export function tellInputsForgotten(label: string): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The inputs of the server “{0}” are forgotten. Its next start asks for them.', nativeText(label, 60)),
  );
}

/** Changes the entry of a server. Where Duplex does not write (files of other programs), it opens the place for the person instead. */
async function changeOrOpen(
  definition: ServerDefinition,
  change: (entry: JsonObject) => JsonObject | undefined,
): Promise<ChangedEntry | undefined> {
  const place = placeOf(definition);
  const entries = place && entriesIn(place);
  const changed = entries && changeEntry(entries, definition.name, change);
  if (place === undefined || changed === undefined) {
    await openDefinition(definition);
    return undefined;
  }
  await writeEntries(place, changed.value);
  return changed;
}

async function putBack(definition: ServerDefinition, removed: ChangedEntry): Promise<void> {
  const place = placeOf(definition);
  if (place !== undefined) {
    await writeEntries(place, putEntryBack(entriesIn(place), removed));
  }
}

function placeOf({ scope, folder }: ServerDefinition): EntryPlace | undefined {
  switch (scope) {
    case 'user':
    case 'remote':
    case 'workspace':
      return { scope };
    case 'folder':
      return folder && { scope, folder: folder.path };
    case 'discovered':
      return undefined;
  }
}
