import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifecycle.ts';
import { FirstLooks } from './firstLooks.ts';

interface Followed {
  readonly emitter: Emitter<void>;
  readonly looks: FirstLooks | undefined;
  listeners: number;
}

const maxFollowed = 5_000;

/**
 * Changes of single documents and files. One watcher over the workspace, which the editor has running anyway, serves all of
 * them, and only while somebody follows a file.
 */
export class ChangeSources implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #followed = new Map<string, Followed>();
  #watching: DisposableStore | undefined;

  constructor() {
    const { workspace } = vscode;
    this.#lifetime.add(workspace.onDidChangeTextDocument(({ document }) => this.#fireFor(document)));
    this.#lifetime.add(workspace.onDidOpenTextDocument((document) => this.#fireFor(document)));
    this.#lifetime.add(workspace.onDidCloseTextDocument((document) => this.#fireFor(document)));
    this.#lifetime.add(workspace.onDidSaveTextDocument((document) => this.#fireFor(document)));
    this.#lifetime.add(workspace.onDidChangeNotebookDocument(({ notebook }) => this.#fire(notebook.uri)));
    this.#lifetime.add(workspace.onDidOpenNotebookDocument(({ uri }) => this.#fire(uri)));
    this.#lifetime.add(workspace.onDidCloseNotebookDocument(({ uri }) => this.#fire(uri)));
    this.#lifetime.add(workspace.onDidSaveNotebookDocument(({ uri }) => this.#fire(uri)));
  }

  of(uri: vscode.Uri): Event<void> {
    return (listener) => {
      const key = uri.toString();
      const known = this.#followed.get(key);
      if (known === undefined && this.#followed.size >= maxFollowed) {
        return toDisposable(() => undefined);
      }
      const followed = known ?? follow(uri);
      this.#followed.set(key, followed);
      followed.listeners += 1;
      this.#watching ??= this.#watch();
      const listening = followed.emitter.event(listener);
      return toDisposable(() => {
        listening.dispose();
        followed.listeners -= 1;
        if (followed.listeners === 0) {
          followed.looks?.dispose();
          this.#followed.delete(key);
          this.#rest();
        }
      });
    };
  }

  dispose(): void {
    this.#followed.forEach(({ looks }) => looks?.dispose());
    this.#watching?.dispose();
    this.#lifetime.dispose();
  }

  #watch(): DisposableStore {
    const watching = new DisposableStore();
    const watcher = watching.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const fire = (uri: vscode.Uri): void => this.#fire(uri);
    watching.add(watcher.onDidChange(fire));
    watching.add(watcher.onDidCreate(fire));
    watching.add(watcher.onDidDelete(fire));
    return watching;
  }

  #rest(): void {
    if (this.#followed.size === 0) {
      this.#watching?.dispose();
      this.#watching = undefined;
    }
  }

  #fireFor(document: vscode.TextDocument): void {
    this.#fire(document.uri);
  }

  #fire(uri: vscode.Uri): void {
    const followed = this.#followed.get(uri.toString());
    followed?.looks?.told();
    followed?.emitter.fire();
  }
}

function follow({ scheme, fsPath }: vscode.Uri): Followed {
  const emitter = new Emitter<void>();
  return { emitter, looks: scheme === 'file' ? new FirstLooks(fsPath, () => emitter.fire()) : undefined, listeners: 0 };
}
