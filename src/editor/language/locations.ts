import * as vscode from 'vscode';
import { untilAborted } from '../../base/abort.ts';
import { Slices } from '../../base/slices.ts';
import type { FoundLocation } from '../../server/seen/ports/languagePort.ts';
import { toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { isTimeUp } from './languageService.ts';

export type AnyLocation = vscode.Location | vscode.LocationLink;

export function plainLocation(location: AnyLocation): vscode.Location {
  return 'targetUri' in location
    ? new vscode.Location(location.targetUri, location.targetSelectionRange ?? location.targetRange)
    : location;
}

/**
 * Describes places, sorted and each once, with the line each one starts on as far as there is time to read it. This is done in
 * slices, between which others get their turn: there may be very many.
 */
export async function describeLocations(locations: readonly AnyLocation[], signal: AbortSignal): Promise<FoundLocation[]> {
  const lines = new DocumentLines(documents, signal);
  const found = new Map<string, FoundLocation>();
  const slices = new Slices();
  for (const { uri, range } of locations.map(plainLocation)) {
    const path = toClientPath(uri);
    const key = JSON.stringify([path, range]);
    if (!found.has(key)) {
      found.set(key, { path, range: toTextRange(range), preview: await lines.lineAt(uri, range.start.line) });
    }
    await slices.pauseIfUsedUp();
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

/** The most files that are opened for the previews of one answer. */
const maxOpened = 50;

type Lines = Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>;

export interface DocumentSource {
  findOpen(uri: vscode.Uri): Lines | undefined;
  /** Opens a document in the background, without a tab. */
  open(uri: vscode.Uri): PromiseLike<Lines>;
}

/** Reads lines of documents, of open ones with unsaved text. A line of a document that cannot be opened, or not in time, is empty. */
export class DocumentLines {
  readonly #source: DocumentSource;
  readonly #signal: AbortSignal;
  readonly #documents = new Map<string, Lines | undefined>();

  constructor(source: DocumentSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  async lineAt(uri: vscode.Uri, line: number): Promise<string> {
    const document = await this.#document(uri);
    return document === undefined || line >= document.lineCount ? '' : document.lineAt(line).text;
  }

  async #document(uri: vscode.Uri): Promise<Lines | undefined> {
    const key = uri.toString();
    if (!this.#documents.has(key)) {
      const open = this.#source.findOpen(uri);
      const mayOpen = open === undefined && this.#documents.size < maxOpened && !isTimeUp(this.#signal);
      this.#documents.set(key, mayOpen ? await this.#openQuietly(uri) : open);
    }
    return this.#documents.get(key);
  }

  async #openQuietly(uri: vscode.Uri): Promise<Lines | undefined> {
    this.#signal.throwIfAborted();
    try {
      return await untilAborted(this.#source.open(uri), this.#signal);
    } catch (error) {
      if (this.#signal.aborted && !isTimeUp(this.#signal)) {
        throw error;
      }
      return undefined;
    }
  }
}
