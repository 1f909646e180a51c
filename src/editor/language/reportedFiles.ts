import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { toClientPath } from '../shared/clientUris.ts';

export interface ReportedFile {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly entries: readonly vscode.Diagnostic[];
}

/**
 * The files with diagnostics as VS Code has them now, in the order of their paths. There may be ten thousand, of which one page is
 * looked at: what paths they have and how those are ordered is kept from look to look, as far as they are the same.
 */
export class ReportedFiles implements Disposable {
  readonly #lifetime = new DisposableStore();
  #paths = new WeakMap<vscode.Uri, string>();
  #ordered: { readonly uris: readonly vscode.Uri[]; readonly order: readonly number[] } = { uris: [], order: [] };

  constructor() {
    // A path is relative to its folder, and begins with that one's name where there are several.
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#forget()));
  }

  list(): ReportedFile[] {
    const all = vscode.languages.getDiagnostics().filter(([, entries]) => entries.length > 0);
    const order = this.#orderOf(all.map(([uri]) => uri));
    return order.flatMap((index) => {
      const [uri, entries] = all[index] ?? [];
      return uri === undefined || entries === undefined ? [] : [{ uri, path: this.#pathOf(uri), entries }];
    });
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #orderOf(uris: readonly vscode.Uri[]): readonly number[] {
    const known = this.#ordered.uris;
    if (uris.length !== known.length || uris.some((uri, index) => uri !== known[index])) {
      const paths = uris.map((uri) => this.#pathOf(uri));
      const before = (a: number, b: number): number => ((paths[a] ?? '') < (paths[b] ?? '') ? -1 : 1);
      this.#ordered = { uris, order: [...uris.keys()].sort(before) };
    }
    return this.#ordered.order;
  }

  #pathOf(uri: vscode.Uri): string {
    const path = this.#paths.get(uri) ?? toClientPath(uri);
    this.#paths.set(uri, path);
    return path;
  }

  #forget(): void {
    this.#paths = new WeakMap();
    this.#ordered = { uris: [], order: [] };
  }
}
