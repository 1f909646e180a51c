import * as vscode from 'vscode';
import type { ContentWish } from '../chat/content/chatContent.ts';
import { ownSchemes } from '../contract/identity.ts';
import type { ResourceDocuments } from './resourceDocuments.ts';

/** The resource of a server whose document a menu or the palette means. What is selected in it is a selection like any other. */
export function resourceTarget(
  args: readonly unknown[],
  editor: vscode.TextEditor | undefined,
  documents: ResourceDocuments,
): ContentWish | undefined {
  const [first] = args;
  const uri = first instanceof vscode.Uri ? first : first === undefined ? editor?.document.uri : undefined;
  const isSelectedIn = editor?.document.uri.toString() === uri?.toString() && editor?.selection.isEmpty === false;
  if (uri?.scheme !== ownSchemes.resource || isSelectedIn) {
    return undefined;
  }
  return documents.wishFor(uri);
}
