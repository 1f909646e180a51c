import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { ownSchemes } from '../../contract/identity.ts';
import { FlatFiles } from '../../editor/shared/flatFiles.ts';
import type { ResourceFile } from '../resources/resourceFile.ts';

/** Shows pictures and sound that belong to no file in viewers of the editor, read-only. They are forgotten when their tab is closed. */
export class MediaDocuments extends FlatFiles implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly at: number }>();
  #count = 0;

  /** Never fires: these files do not change. */
  override readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]> = () => new vscode.Disposable(() => undefined);

  constructor() {
    super();
    const registration = { isCaseSensitive: true, isReadonly: true };
    this.#lifetime.add(vscode.workspace.registerFileSystemProvider(ownSchemes.media, this, registration));
    this.#lifetime.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.forEach((tab) => this.#forget(tab))));
  }

  async show({ name, shown }: Pick<ResourceFile, 'name' | 'shown'>): Promise<void> {
    this.#count += 1;
    const uri = vscode.Uri.from({ scheme: ownSchemes.media, path: `/${this.#count}/${name}` });
    this.#files.set(uri.toString(), { bytes: shown, at: Date.now() });
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  }

  override stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, at } = this.#demand(uri);
    return { type: vscode.FileType.File, ctime: at, mtime: at, size: bytes.byteLength, permissions: vscode.FilePermission.Readonly };
  }

  override readFile(uri: vscode.Uri): Uint8Array {
    return this.#demand(uri).bytes;
  }

  override writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#files.clear();
  }

  #demand(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly at: number } {
    const file = this.#files.get(uri.toString());
    if (file === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return file;
  }

  /** Forgets the file of a closed tab, unless another tab shows it: VS Code moves a tab by closing it and opening it again. */
  #forget(closed: vscode.Tab): void {
    const key = keyOf(closed);
    const isShown = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => keyOf(tab) === key));
    if (key !== undefined && !isShown) {
      this.#files.delete(key);
    }
  }
}

function keyOf({ input }: vscode.Tab): string | undefined {
  const { uri } = (input ?? {}) as { readonly uri?: unknown };
  return uri instanceof vscode.Uri && uri.scheme === ownSchemes.media ? uri.toString() : undefined;
}
