import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { proposalScheme } from '../../contract/identity.ts';
import { FlatFiles } from '../shared/flatFiles.ts';

interface Entry {
  readonly bytes: Uint8Array;
  readonly changedAt: number;
  readonly isReadOnly: boolean;
}

/** Proposed texts as files in memory: writable, so that VS Code lets the person take blocks back and type. */
export class ProposalFiles extends FlatFiles implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #entries = new Map<string, Entry>();
  readonly #changed = this.#lifetime.add(new Emitter<vscode.FileChangeEvent[]>());

  override readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]> = (listener) => this.#changed.event(listener);

  constructor() {
    super();
    this.#lifetime.add(vscode.workspace.registerFileSystemProvider(proposalScheme, this, { isCaseSensitive: true }));
  }

  add(uri: vscode.Uri, text: string, { isReadOnly = false } = {}): void {
    this.#entries.set(uri.toString(), { bytes: Buffer.from(text, 'utf8'), changedAt: Date.now(), isReadOnly });
  }

  remove(uri: vscode.Uri): void {
    this.#entries.delete(uri.toString());
  }

  textOf(uri: vscode.Uri): string {
    return Buffer.from(this.#entries.get(uri.toString())?.bytes ?? []).toString('utf8');
  }

  override stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, changedAt, isReadOnly } = this.#demand(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: changedAt,
      size: bytes.byteLength,
      ...(isReadOnly && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  override readFile(uri: vscode.Uri): Uint8Array {
    return this.#demand(uri).bytes;
  }

  /** Writes also for a proposal that is gone: a window that was reloaded must be able to let go of what was typed in it. */
  override writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    this.#entries.set(uri.toString(), { bytes, changedAt: Date.now(), isReadOnly: false });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#entries.clear();
  }

  #demand(uri: vscode.Uri): Entry {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return entry;
  }
}
