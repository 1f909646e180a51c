import { lstatSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';

interface Followed {
  readonly emitter: Emitter<void>;
  readonly looks: FirstLooks | undefined;
  listeners: number;
}

/** The most documents whose changes are followed; those of a further one are not told. */
const maxFollowed = 5_000;

/**
 * Tells of changes of single documents and files. One watcher over the workspace, which VS Code has running anyway, serves all of
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

/**
 * When the file is looked at, in ms after it was first followed. By the last look a watcher has begun, even in a window that
 * opens on a busy machine.
 */
const looksMs = [1_000, 4_000, 15_000] as const;

/**
 * Looks at a file a few times while the watcher that is to follow it has not begun yet. A watcher begins some time after it was
 * made, and says nothing of what happened before.
 */
export class FirstLooks implements Disposable {
  readonly #file: string;
  readonly #onChange: () => void;
  readonly #lifetime = new DisposableStore();
  #state: string;

  constructor(file: string, onChange: () => void, clock: Clock = systemClock) {
    this.#file = file;
    this.#onChange = onChange;
    this.#state = stateOf(file);
    for (const milliseconds of looksMs) {
      this.#lifetime.add(clock.schedule(milliseconds, () => this.#look(milliseconds === looksMs[2])));
    }
  }

  /** Called when the watcher has told of the file: what it is now is known. */
  told(): void {
    if (!this.#lifetime.isDisposed) {
      this.#state = stateOf(this.#file);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #look(isLast: boolean): void {
    const state = stateOf(this.#file);
    const isChanged = state !== this.#state;
    this.#state = state;
    if (isLast) {
      this.dispose();
    }
    if (isChanged) {
      this.#onChange();
    }
  }
}

/** The state of a file name, not of what a link leads to. */
export function stateOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = lstatSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}
