import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/events.ts';
import { isJsonObject } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { defaultBaseUrl, isOnThisMachine, keyHeaders, type EndpointKey } from '../../contract/modelEndpoint.ts';

/** Anthropic's own; that of any other address has the address after it. */
const secretName = 'duplex.anthropic.apiKey';

/**
 * The person's keys, one for each base URL, with how it is sent: in VS Code's secret store, else from the environment. Never in
 * a file or a log, and never for another address than the one it was given for.
 */
export class ApiKeyStore implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());

  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#lifetime.add(
      secrets.onDidChange((event) => {
        if (event.key === secretName || event.key.startsWith(`${secretName}:`)) {
          this.#changed.fire();
        }
      }),
    );
  }

  /**
   * What the person stored for this address; else the variable. Nobody gave that one for another machine than Anthropic's own:
   * elsewhere there is no key before the person stores one.
   */
  async get(baseUrl: string): Promise<EndpointKey | undefined> {
    const stored = await this.stored(baseUrl);
    const isMeant = baseUrl === defaultBaseUrl || isOnThisMachine(baseUrl);
    const fromEnvironment = isMeant ? (process.env['ANTHROPIC_API_KEY'] ?? '') : '';
    return stored ?? (fromEnvironment === '' ? undefined : { baseUrl, sentAs: 'bearer', key: fromEnvironment });
  }

  async stored(baseUrl: string): Promise<EndpointKey | undefined> {
    const text = await this.#secrets.get(nameOf(baseUrl));
    return text === undefined ? undefined : read(text, baseUrl);
  }

  async set(key: EndpointKey): Promise<void> {
    await this.#secrets.store(nameOf(key.baseUrl), JSON.stringify(key));
  }

  async remove(baseUrl: string): Promise<void> {
    await this.#secrets.delete(nameOf(baseUrl));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

function nameOf(baseUrl: string): string {
  return baseUrl === defaultBaseUrl ? secretName : `${secretName}:${baseUrl}`;
}

/** Earlier versions stored the bare key, for whatever address was set: it counts for Anthropic's own and for no other. */
function read(text: string, baseUrl: string): EndpointKey | undefined {
  const value = parse(text);
  if (!isJsonObject(value)) {
    return baseUrl === defaultBaseUrl ? { baseUrl, sentAs: 'bearer', key: text } : undefined;
  }
  const sentAs = keyHeaders.find((each) => each === value['sentAs']);
  const key = value['key'];
  return sentAs !== undefined && typeof key === 'string' && value['baseUrl'] === baseUrl ? { baseUrl, sentAs, key } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
