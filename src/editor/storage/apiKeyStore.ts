// storage/: what Duplex keeps for the person: keys, sign-ins and input values in VS Code's secret store, and long results as files.
import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/events.ts';
import { isJsonObject, parsedJson } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { defaultBaseUrl, isOnThisMachine, keyHeaders, type EndpointKey } from '../../contract/modelEndpoint.ts';

/** The name of the secret for Anthropic's own address; for any other address, that address follows it. */
const secretName = 'duplex.anthropic.apiKey';

/**
 * The person's API keys, one for each base URL, with how it is sent. They come from VS Code's secret store, else from the
 * environment. A key never goes into a file or a log, and never to another address than the one it was given for.
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
   * The key that the person stored for this address, else the one in the environment variable. That one is meant for Anthropic's
   * own address and for this machine: for any other address there is no key before the person stores one.
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

/**
 * Reads a stored key. Earlier versions stored the bare key, for whatever address was set: it counts for Anthropic's own address
 * and for no other.
 */
function read(text: string, baseUrl: string): EndpointKey | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value)) {
    return baseUrl === defaultBaseUrl ? { baseUrl, sentAs: 'bearer', key: text } : undefined;
  }
  const sentAs = keyHeaders.find((each) => each === value['sentAs']);
  const key = value['key'];
  return sentAs !== undefined && typeof key === 'string' && value['baseUrl'] === baseUrl ? { baseUrl, sentAs, key } : undefined;
}
