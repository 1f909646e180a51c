import { abortError } from '../../../base/abort.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { InputRequest } from '../../offer/catalog/catalog.ts';
import type { Clock } from '../../../base/clock.ts';
import { missingCapabilities } from '../requests/clientCapabilities.ts';
import type { LegacyRevision } from '../requests/revisions.ts';
import { rpcNotificationText } from '../rpc/rpc.ts';

export interface ClientAsker {
  readonly revision: LegacyRevision;
  readonly clientCapabilities: JsonObject;
  /** Whether the client has said that it accepts requests. */
  readonly isReady: boolean;
}

export interface AskOptions {
  readonly send: (text: string) => void;
  /** Tells the client that the answer is no longer wanted; by then `send` can no longer be used. */
  readonly withdraw: (text: string) => void;
  readonly signal: AbortSignal;
  /** The `_meta` of each request. */
  readonly meta?: JsonObject | undefined;
}

interface Open {
  readonly answer: (response: JsonObject) => void;
  readonly giveUp: (reason: Error) => void;
}

/** How long the server waits for a client to answer a request. */
const maxWaitMs = 10 * 60_000;

/** The requests of the server to one legacy client, with ids of their own. */
export class ClientRequests implements Disposable {
  readonly #clock: Clock;
  readonly #client: ClientAsker;
  readonly #open = new Map<string, Open>();
  #count = 0;

  constructor(clock: Clock, client: ClientAsker) {
    this.#clock = clock;
    this.#client = client;
  }

  /** Sends all requests at once. Throws if the client did not declare that it can answer them. */
  async askAll(requests: Readonly<Record<string, InputRequest>>, options: AskOptions): Promise<Readonly<Record<string, JsonObject>>> {
    const missing = missingCapabilities(requests, this.#client.clientCapabilities);
    if (missing !== undefined) {
      const names = Object.keys(missing).join(' and ');
      throw clientError('server.clientCannot', { names });
    }
    if (!this.#client.isReady) {
      throw clientError('server.clientNotReady');
    }
    const answers = Object.entries(requests).map(async ([key, request]) => [key, await this.#ask(request, options)] as const);
    return Object.fromEntries(await Promise.all(answers));
  }

  /** Takes a response of the client; one to an unknown request is ignored. */
  receive(response: JsonObject): void {
    const open = typeof response.id === 'string' ? this.#open.get(response.id) : undefined;
    open?.answer(response);
  }

  dispose(): void {
    for (const { giveUp } of [...this.#open.values()]) {
      giveUp(abortError('The session has ended.'));
    }
  }

  #ask(request: InputRequest, { send, withdraw, signal, meta }: AskOptions): Promise<JsonObject> {
    this.#count += 1;
    const id = `duplex-${this.#count}`;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        this.#open.delete(id);
        timer.dispose();
        signal.removeEventListener('abort', cancel);
        act();
      };
      const giveUp = (reason: Error): void =>
        settle(() => {
          withdraw(rpcNotificationText('notifications/cancelled', { requestId: id, reason: reason.message }));
          reject(reason);
        });
      const cancel = (): void => giveUp(abortError('The request was cancelled.'));
      const timer = this.#clock.schedule(maxWaitMs, () => giveUp(clientError('server.clientSilent')));
      signal.addEventListener('abort', cancel);
      const answer = (response: JsonObject): void =>
        settle(() => {
          const result = resultOf(request, response);
          if (result instanceof Error) {
            reject(result);
          } else {
            resolve(result);
          }
        });
      this.#open.set(id, { answer, giveUp });
      send(this.#toText(id, request, meta));
      if (signal.aborted) {
        cancel();
      }
    });
  }

  #toText(id: string, { method, params }: InputRequest, meta: JsonObject | undefined): string {
    const { mode, ...older } = params ?? {};
    // Older revisions know forms only, so they have no `mode`.
    const shaped = mode === 'form' && this.#client.revision < '2025-11-25' ? older : params;
    const all = meta === undefined ? shaped : { ...shaped, _meta: meta };
    return JSON.stringify({ jsonrpc: '2.0', id, method, ...(all !== undefined && { params: all }) });
  }
}

function resultOf({ method }: InputRequest, { result, error }: JsonObject): JsonObject | Error {
  if (isJsonObject(result)) {
    return result;
  }
  if (method === 'elicitation/create') {
    return { action: 'cancel' };
  }
  const words = isJsonObject(error) && typeof error.message === 'string' ? error.message.slice(0, 300) : 'an error';
  return clientError('server.clientRefused', { method, words });
}
