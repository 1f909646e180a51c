import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { Late } from '../../base/late.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { FlatFiles } from './flatFiles.ts';

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
