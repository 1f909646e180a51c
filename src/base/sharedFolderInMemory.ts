import { Emitter } from './events.ts';
import type { FolderFile, Hold, SharedFolder } from './sharedFolder.ts';

/** Where nothing can be kept: as good as files for as long as the window lives. */
export class SharedFolderInMemory implements SharedFolder {
  readonly #files = new Map<string, { readonly text: string; readonly changedAt: number }>();
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;

  folders(): Promise<readonly string[]> {
    return Promise.resolve([...new Set([...this.#files.keys()].map((name) => name.split('/')[0] ?? ''))]);
  }

  list(folder: string): Promise<readonly FolderFile[]> {
    const own = [...this.#files].filter(([name]) => name.startsWith(`${folder}/`));
    return Promise.resolve(
      own.map(([name, { text, changedAt }]) => ({ name: name.slice(folder.length + 1), bytes: text.length, changedAt })),
    );
  }

  read(name: string): Promise<string | undefined> {
    return Promise.resolve(this.#files.get(name)?.text);
  }

  readStart(name: string): Promise<string | undefined> {
    return this.read(name);
  }

  write(name: string, text: string): Promise<void> {
    this.#files.set(name, { text, changedAt: Date.now() });
    this.#tell(name);
    return Promise.resolve();
  }

  move(from: string, to: string): Promise<void> {
    const file = this.#files.get(from);
    if (file !== undefined) {
      this.#files.delete(from);
      this.#files.set(to, { text: file.text, changedAt: Date.now() });
      this.#tell(to);
    }
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    if (this.#files.delete(name)) {
      this.#tell(name);
    }
    return Promise.resolve();
  }

  hold(): Promise<Hold> {
    return Promise.resolve({ isStillOurs: () => Promise.resolve(true), release: () => Promise.resolve() });
  }

  isHeldByOther(): Promise<boolean> {
    return Promise.resolve(false);
  }

  #tell(name: string): void {
    this.#changed.fire(name.split('/')[1] ?? '');
  }
}
