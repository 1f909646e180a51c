import type * as vscode from 'vscode';
import type { Event } from '../base/events.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';

const secretName = 'duplex.anthropic.apiKey';

/** The person's Anthropic key: in VS Code's secret store, else from the environment. Never in a file or a log. */
export class ApiKeyStore implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());

  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#lifetime.add(
      secrets.onDidChange((event) => {
        if (event.key === secretName) {
          this.#changed.fire();
        }
      }),
    );
  }

  async get(): Promise<string | undefined> {
    const fromEnvironment = process.env['ANTHROPIC_API_KEY'];
    return (await this.#secrets.get(secretName)) ?? (fromEnvironment === '' ? undefined : fromEnvironment);
  }

  async set(key: string): Promise<void> {
    await this.#secrets.store(secretName, key);
  }

  async remove(): Promise<void> {
    await this.#secrets.delete(secretName);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
