import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { Late } from '../../base/late.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';

/** Files of a scheme of our own, without folders: nothing in it can be created, moved or deleted. */
export abstract class FlatFiles implements vscode.FileSystemProvider {
  abstract readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;

  abstract stat(uri: vscode.Uri): vscode.FileStat | Thenable<vscode.FileStat>;

  abstract readFile(uri: vscode.Uri): Uint8Array | Thenable<Uint8Array>;

  abstract writeFile(uri: vscode.Uri, bytes: Uint8Array): void;

  /** What changes is told of unasked. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

/** Files that cannot be written, there at once for documents that were open before; what reads them comes when one is wanted. */
export class LateFiles extends FlatFiles implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<vscode.FileChangeEvent[]>());
  readonly #files: Late<FlatFiles>;

  override readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]> = (listener) => this.#changed.event(listener);

  constructor(scheme: string, load: () => Promise<FlatFiles>) {
    super();
    this.#files = new Late(async () => {
      const files = await load();
      this.#lifetime.add(files.onDidChangeFile((changes) => this.#changed.fire(changes)));
      return files;
    });
    this.#lifetime.add(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, isReadonly: true }));
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.#files.get()).stat(uri);
  }

  override async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#files.get()).readFile(uri);
  }

  override writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
