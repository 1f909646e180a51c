import type * as vscode from 'vscode';
import { untilAborted } from '../../base/abort.ts';
import { isTimeUp } from './timeLimit.ts';

/** Files that are opened for one answer's previews. */
const maxOpened = 50;

type Lines = Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>;

export interface DocumentSource {
  findOpen(uri: vscode.Uri): Lines | undefined;
  /** In the background, without a tab. */
  open(uri: vscode.Uri): PromiseLike<Lines>;
}

/** Reads lines of documents, open ones as they are. What cannot be opened, or not in time, has empty ones. */
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
