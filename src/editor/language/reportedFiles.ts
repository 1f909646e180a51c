import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { toClientPath } from '../shared/clientUris.ts';
import type { Turns } from '../../base/turns.ts';

type Reported = readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[];

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

  /** As VS Code has them; all in one go, as it gives them. */
  reported(): Reported {
    return vscode.languages.getDiagnostics().filter(([, entries]) => entries.length > 0);
  }

  /** Before `inOrder` of many: then that finds them. */
  async learnPaths(reported: Reported, turns: Turns): Promise<void> {
    for (const [uri] of reported) {
      this.#pathOf(uri);
      if (turns.isOver) {
        await turns.next();
      }
    }
  }

  inOrder(reported: Reported): ReportedFile[] {
    const files: ReportedFile[] = [];
    for (const index of this.#orderOf(reported.map(([uri]) => uri))) {
      const [uri, entries = []] = reported[index] ?? [];
      if (uri !== undefined) {
        files.push({ uri, path: this.#pathOf(uri), entries });
      }
    }
    return files;
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
    const known = this.#paths.get(uri);
    if (known !== undefined) {
      return known;
    }
    const path = toClientPath(uri);
    this.#paths.set(uri, path);
    return path;
  }

  #forget(): void {
    this.#paths = new WeakMap();
    this.#ordered = { uris: [], order: [] };
  }
}
