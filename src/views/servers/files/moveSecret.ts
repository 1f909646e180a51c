import * as vscode from 'vscode';
import { secretToMove } from '../../../contract/configurationHelp.ts';
import type { InputOwner, InputValues } from '../../../definitions/inputs.ts';
import { moveSecretOut, type MovedSecret } from '../../../definitions/movedSecret.ts';
import { nativeText } from '../../nativeText.ts';
import { viewError } from '../../sentences/viewErrors.ts';
import { serverIdIn, documentSourceOf } from './serversInDocument.ts';

export interface MoveSecretPorts {
  readonly inputs: Pick<InputValues, 'keep' | 'forget'>;
  /** The folder where VS Code keeps its own settings. */
  readonly userDataPath: string;
}

/**
 * `Move Secret to Input`, from the quick fix of a configuration file: the value goes to the secret storage first, then out of the
 * file. A placeholder is no secret: only the input is written, and the start of the server asks for it.
 */
export async function moveSecretToInput({ inputs, userDataPath }: MoveSecretPorts, argument: unknown): Promise<void> {
  const wanted = secretToMove().safeParse(argument).data;
  if (wanted === undefined) {
    throw viewError('views.noSecret');
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(wanted.uri, true));
  const owner = ownerIn(document.uri, wanted.server, userDataPath);
  const first = moveSecretOut(document.getText(), wanted);
  if (first === undefined || owner === undefined) {
    throw viewError('views.noSecret');
  }
  const { input, text, isPlaceholder } = first;
  if (!isPlaceholder) {
    await inputs.keep(owner, input, text);
  }
  // A locked keyring asks the person first, who may have written in the file since.
  const moved = document.isClosed ? undefined : moveSecretOut(document.getText(), wanted);
  const isSame = moved?.text === text && moved.input.id === input.id;
  const wasDirty = document.isDirty;
  if (!isSame || !(await applyTo(document, moved))) {
    // Where the file names the input by now, the same fix was chosen twice, and the value is needed.
    if (!document.getText().includes(`\${input:${input.id}}`)) {
      await inputs.forget(owner, [input]);
    }
    throw viewError(isSame ? 'views.notInserted' : 'views.noSecret');
  }
  // What was saved before must not stay in the file; what was not is the person's to save.
  if (!wasDirty) {
    await document.save();
  }
  if (!isPlaceholder) {
    tell({ document, moved, owner, inputs });
  }
}

function ownerIn(uri: vscode.Uri, server: string, userDataPath: string): InputOwner | undefined {
  const source = documentSourceOf(uri, userDataPath);
  const id = serverIdIn(uri, server, userDataPath);
  return source === undefined || id === undefined ? undefined : { id, scope: source.scope, label: server };
}

async function applyTo(document: vscode.TextDocument, { changes }: MovedSecret): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of changes) {
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), newText);
  }
  return vscode.workspace.applyEdit(edit);
}

interface Move {
  readonly document: vscode.TextDocument;
  readonly moved: MovedSecret;
  readonly owner: InputOwner;
  readonly inputs: MoveSecretPorts['inputs'];
}

/** Tells what happened, and once more when an undo brings the secret back into the file: nothing of it can undo what is stored or was published. */
function tell({ document, moved: { text, input }, owner, inputs }: Move): void {
  const name = nativeText(input.description ?? input.id, 60);
  const done = document.isDirty
    ? vscode.l10n.t('“{0}” is in the secret storage now. Save the file to take it out of there, too.', name)
    : vscode.l10n.t('“{0}” is in the secret storage now, and no longer in the file.', name);
  const published = vscode.l10n.t('If the file was ever committed or synchronised, ask for a new one.');
  void vscode.window.showInformationMessage(`${done} ${published}`);
  const listening = vscode.workspace.onDidChangeTextDocument(({ document: changed, reason }) => {
    if (changed === document && reason === vscode.TextDocumentChangeReason.Undo && changed.getText().includes(text)) {
      stop();
      void tellUndone(name, () => inputs.forget(owner, [input]));
    }
  });
  const closing = vscode.workspace.onDidCloseTextDocument((closed) => (closed === document ? stop() : undefined));
  const stop = (): void => {
    listening.dispose();
    closing.dispose();
  };
}

async function tellUndone(name: string, forget: () => Promise<void>): Promise<void> {
  const button = vscode.l10n.t('Forget It There');
  const sentence = vscode.l10n.t('“{0}” is in the file again. Undo did not take it out of the secret storage.', name);
  if ((await vscode.window.showWarningMessage(sentence, button)) === button) {
    await forget();
  }
}
