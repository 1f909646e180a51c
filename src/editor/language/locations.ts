import * as vscode from 'vscode';
import { Turns } from '../../base/turns.ts';
import type { FoundLocation } from '../../server/seen/ports/languagePort.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { toTextRange } from '../shared/ranges.ts';
import { DocumentLines, type DocumentSource } from './documentLines.ts';

export type AnyLocation = vscode.Location | vscode.LocationLink;

export function plainLocation(location: AnyLocation): vscode.Location {
  return 'targetUri' in location
    ? new vscode.Location(location.targetUri, location.targetSelectionRange ?? location.targetRange)
    : location;
}

/** With the line each one starts on, as far as there is time to read them; sorted, and each place once. In turns with others: there may be very many. */
export async function describeLocations(locations: readonly AnyLocation[], signal: AbortSignal): Promise<FoundLocation[]> {
  const lines = new DocumentLines(documents, signal);
  const found = new Map<string, FoundLocation>();
  const turns = new Turns();
  for (const { uri, range } of locations.map(plainLocation)) {
    const path = toClientPath(uri);
    const key = JSON.stringify([path, range]);
    if (!found.has(key)) {
      found.set(key, { path, range: toTextRange(range), preview: await lines.lineAt(uri, range.start.line) });
    }
    await turns.next();
  }
  return [...found.values()].sort(compareLocations);
}

function compareLocations(a: FoundLocation, b: FoundLocation): number {
  if (a.path !== b.path) {
    return a.path < b.path ? -1 : 1;
  }
  return a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character;
}

const documents: DocumentSource = {
  findOpen: (uri) => vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString()),
  open: (uri) => vscode.workspace.openTextDocument(uri),
};
