import * as vscode from 'vscode';
import { Late } from '../../base/late.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';

/** The files of a URI scheme of our own. It has no folders, and nothing in it can be created, moved or deleted. */
export abstract class FlatFiles implements vscode.FileSystemProvider {
  abstract readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;

  abstract stat(uri: vscode.Uri): vscode.FileStat | Thenable<vscode.FileStat>;

  abstract readFile(uri: vscode.Uri): Uint8Array | Thenable<Uint8Array>;

  abstract writeFile(uri: vscode.Uri, bytes: Uint8Array): void;

  /** Does nothing, because all changes are told without being asked. */
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

/**
 * Read-only files of a scheme that is there at once, for documents that were open before the window was reloaded. What reads them
 * is loaded when one is wanted.
 */
export class LateFiles extends FlatFiles implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #files: Late<FlatFiles>;

  override readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]> = (listener) =>
    this.#lifetime.add(this.#files.event((files) => files.onDidChangeFile)(listener));

  constructor(scheme: string, load: () => Promise<FlatFiles>) {
    super();
    this.#files = new Late(load);
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
