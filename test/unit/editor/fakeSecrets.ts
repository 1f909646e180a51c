import type * as vscode from 'vscode';

/** VS Code's secret store as one window sees it: what others wrote arrives when `arrive` is called. */
export class FakeSecrets implements vscode.SecretStorage {
  readonly #shared: Map<string, string>;
  #own: Map<string, string>;
  reads = 0;

  constructor(shared: Map<string, string>) {
    this.#shared = shared;
    this.#own = new Map(shared);
  }

  readonly onDidChange = (): vscode.Disposable => ({ dispose: () => undefined });

  arrive(): void {
    this.#own = new Map(this.#shared);
  }

  get(key: string): Promise<string | undefined> {
    this.reads++;
    return Promise.resolve(this.#own.get(key));
  }

  keys(): Promise<string[]> {
    return Promise.resolve([...this.#own.keys()]);
  }

  store(key: string, value: string): Promise<void> {
    this.#own.set(key, value);
    this.#shared.set(key, value);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#own.delete(key);
    this.#shared.delete(key);
    return Promise.resolve();
  }
}
