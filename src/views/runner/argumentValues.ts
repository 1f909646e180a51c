import * as vscode from 'vscode';
import type { ValueSource } from '../../contract/pages/pageLimits.ts';
import { viewError } from '../sentences/viewErrors.ts';

/** The most characters of a value that fills an argument; a longer one is refused. */
const maxLength = 500_000;

/**
 * Fills an argument from the selection, the open file, a picked file or the clipboard. Undefined when the person picked nothing;
 * rejects when there is nothing there.
 */
export async function argumentValueFrom(source: ValueSource, editor: vscode.TextEditor | undefined): Promise<string | undefined> {
  const value = await valueFrom(source, editor);
  if (value !== undefined && value.length > maxLength) {
    throw viewError('runTool.valueTooLong');
  }
  return value;
}

async function valueFrom(source: ValueSource, editor: vscode.TextEditor | undefined): Promise<string | undefined> {
  switch (source) {
    case 'selection':
      return selectedText(editor);
    case 'activePath':
      return pathOf(openEditor(editor).document.uri);
    case 'activeText':
      return openEditor(editor).document.getText();
    case 'pickedPath':
      return pickedPath();
    case 'clipboard': {
      const text = await vscode.env.clipboard.readText();
      if (text === '') {
        throw viewError('runTool.clipboardEmpty');
      }
      return text;
    }
  }
}

function selectedText(editor: vscode.TextEditor | undefined): string {
  const text = editor?.document.getText(editor.selection) ?? '';
  if (text === '') {
    throw viewError('runTool.noSelection');
  }
  return text;
}

function openEditor(editor: vscode.TextEditor | undefined): vscode.TextEditor {
  if (editor === undefined) {
    throw viewError('runTool.noActiveFile');
  }
  return editor;
}

async function pickedPath(): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: true,
    canSelectFolders: false,
    canSelectMany: false,
    openLabel: vscode.l10n.t('Use Path'),
    title: vscode.l10n.t('Choose a File for the Argument'),
    ...(folder === undefined ? {} : { defaultUri: folder }),
  });
  return picked?.[0] === undefined ? undefined : pathOf(picked[0]);
}

/** The path of a file, which a program on this machine can open; for anything else its URI. */
function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString();
}
