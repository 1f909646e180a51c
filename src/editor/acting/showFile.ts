import * as vscode from 'vscode';
import type { OpenFileRequest } from '../../server/seen/ports/actingPort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { statOf } from './targets.ts';

/** Shows a file where a click in the Explorer would. The keyboard stays where the person types. */
export async function showFile({ path, line, character = 1, preview }: OpenFileRequest): Promise<void> {
  const uri = fromClientPath(path);
  const stat = uri.scheme === 'untitled' ? undefined : await statOf(uri);
  if (uri.scheme !== 'untitled' && (stat === undefined || (stat.type & vscode.FileType.Directory) !== 0)) {
    throw pathNotFound(path);
  }
  const position = line === undefined ? undefined : new vscode.Position(line - 1, character - 1);
  const options = {
    preview,
    preserveFocus: true,
    ...(position !== undefined && { selection: new vscode.Range(position, position) }),
  } satisfies vscode.TextDocumentShowOptions;
  // Not `showTextDocument`: notebooks, pictures and custom editors open as themselves.
  await vscode.commands.executeCommand('vscode.open', uri, options);
}
