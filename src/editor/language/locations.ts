import * as vscode from 'vscode';
import { untilAborted } from '../../base/abort.ts';
import { Slices } from '../../base/slices.ts';
import type { IsShown } from '../../server/seen/ports/documentsPort.ts';
import type { FoundLocation } from '../../server/seen/ports/languagePort.ts';
import { readFileText } from '../documents/diskFile.ts';
import { toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { findTextDocument, isStillThere } from '../shared/openDocuments.ts';
import { isTimeUp } from './languageService.ts';

export type AnyLocation = vscode.Location | vscode.LocationLink;

interface Look {
  readonly signal: AbortSignal;
  readonly isShown?: IsShown | undefined;
}

export function plainLocation(location: AnyLocation): vscode.Location {
  return 'targetUri' in location
    ? new vscode.Location(location.targetUri, location.targetSelectionRange ?? location.targetRange)
    : location;
}

/**
 * Describes places, sorted and each once, with the line each one starts on as far as there is time to read it. This is done in
 * slices, between which others get their turn: there may be very many.
 */
export async function describeLocations(locations: readonly AnyLocation[], look: Look): Promise<FoundLocation[]> {
  const found = new Map<string, Place>();
  const slices = new Slices();
  const there = new Map<string, boolean>();
  for (const { uri, range } of locations.map(plainLocation)) {
    const path = toClientPath(uri);
    const key = JSON.stringify([path, range]);
    there.set(path, there.get(path) ?? isStillThere(uri));
    if (!found.has(key) && there.get(path) === true) {
      found.set(key, { uri, path, range: toTextRange(range) });
    }
    await slices.pauseIfUsedUp();
  }
  const lines = new FileLines(sourceFor(look), look.signal);
  const described: FoundLocation[] = [];
  // Lines are read in the order of the answer, so that its first pages have them.
  for (const { uri, path, range } of [...found.values()].sort(compareLocations)) {
    const { text, isUnread } = await lines.lineAt(uri, range.start.line - 1);
    described.push({ path, range, preview: text, ...(isUnread && { isUnread }) });
    await slices.pauseIfUsedUp();
  }
  return described;
}

interface Place extends Pick<FoundLocation, 'path' | 'range'> {
  readonly uri: vscode.Uri;
}

function compareLocations(a: Place, b: Place): number {
  if (a.path !== b.path) {
    return a.path < b.path ? -1 : 1;
  }
  return a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character;
}

/** Reads the lines of unsaved documents from VS Code's memory and all others from the disk, where they really are. */
function sourceFor({ signal, isShown }: Look): LineSource {
  return {
    findUnsaved: (uri) => {
      const open = findTextDocument(uri.toString());
      return open !== undefined && (open.isDirty || uri.scheme !== 'file') ? (line) => textAt(open, line) : undefined;
    },
    read: async (uri) => {
      const { text, realPath } = await readFileText(uri, uri.path, signal, findTextDocument(uri.toString())?.encoding);
      return realPath !== undefined && isShown?.(realPath) === false ? undefined : linesIn(text);
    },
  };
}

function textAt(document: vscode.TextDocument, line: number): string {
  return line < document.lineCount ? document.lineAt(line).text : '';
}

function linesIn(text: string): Lines {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return (line) => {
    const start = starts[line];
    return start === undefined ? '' : text.slice(start, (starts[line + 1] ?? text.length + 1) - 1).replace(/\r$/, '');
  };
}

/** The most files that are read for the previews of one answer. */
const maxRead = 300;

/** A line by its number from 0; empty for one that is not there. */
type Lines = (line: number) => string;

export interface LineSource {
  findUnsaved(uri: vscode.Uri): Lines | undefined;
  /** Returns nothing for a file that turns out to be where the client may not look. */
  read(uri: vscode.Uri): PromiseLike<Lines | undefined>;
}

/**
 * Reads lines of files, with unsaved text. A line of a file that cannot be read, or not in time, is empty. Lines are asked for file by
 * file: only the last one is kept.
 */
export class FileLines {
  readonly #source: LineSource;
  readonly #signal: AbortSignal;
  #last: { readonly key: string; readonly lines: Lines | undefined } | undefined;
  #read = 0;

  constructor(source: LineSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  async lineAt(uri: vscode.Uri, line: number): Promise<{ readonly text: string; readonly isUnread: boolean }> {
    const lines = await this.#linesOf(uri);
    return { text: lines?.(line) ?? '', isUnread: lines === undefined };
  }

  async #linesOf(uri: vscode.Uri): Promise<Lines | undefined> {
    const key = uri.toString();
    if (this.#last?.key !== key) {
      const unsaved = this.#source.findUnsaved(uri);
      const mayRead = unsaved === undefined && this.#read < maxRead && !isTimeUp(this.#signal);
      this.#last = { key, lines: mayRead ? await this.#readQuietly(uri) : unsaved };
    }
    return this.#last.lines;
  }

  async #readQuietly(uri: vscode.Uri): Promise<Lines | undefined> {
    this.#signal.throwIfAborted();
    this.#read += 1;
    try {
      return await untilAborted(this.#source.read(uri), this.#signal);
    } catch (error) {
      if (this.#signal.aborted && !isTimeUp(this.#signal)) {
        throw error;
      }
      return undefined;
    }
  }
}
