import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { boundMessage } from '../intake/boundMessage.ts';
import { hostError, timeoutError } from '../shared/hostErrors.ts';
import type { JSONRPCMessage } from '../shared/sdk.ts';

interface Awaited {
  readonly settle: (answer: JsonObject) => void;
  readonly fail: (error: unknown) => void;
}

export interface AppRequestOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the host asks an app, one showing of it. Answers are bounded by the same limits as those of servers. */
export class AppRequests {
  readonly #send: (message: JsonObject) => boolean;
  readonly #awaited = new Map<number, Awaited>();
  #lastId = 0;

  constructor(send: (message: JsonObject) => boolean) {
    this.#send = send;
  }

  get size(): number {
    return this.#awaited.size;
  }

  /** Resolves to the result. Rejects with an AppError where the app refuses, is too slow or is gone, and when the signal fires. */
  ask(method: string, params: JsonObject, { timeoutMs, signal }: AppRequestOptions = {}): Promise<JsonObject> {
    const id = (this.#lastId += 1);
    let timer: NodeJS.Timeout | undefined;
    let cancel: (() => void) | undefined;
    const answer = new Promise<JsonObject>((resolve, fail) => {
      cancel = () => {
        this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
        fail(new DOMException('The call was cancelled.', 'AbortError'));
      };
      timer = timeoutMs === undefined ? undefined : setTimeout(() => fail(timeoutError(timeoutMs)), timeoutMs);
      this.#awaited.set(id, { settle: (message) => resolve(resultOf(message, method)), fail });
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted === true) {
        cancel();
      } else if (!this.#send({ id, method, params })) {
        fail(hostError('host.appGone'));
      }
    });
    return answer.finally(() => {
      clearTimeout(timer);
      if (cancel !== undefined) {
        signal?.removeEventListener('abort', cancel);
      }
      this.#awaited.delete(id);
    });
  }

  /** Takes an answer of the app; one that nobody waits for is dropped. */
  receive(id: number, message: JsonObject): void {
    const awaited = this.#awaited.get(id);
    try {
      awaited?.settle(message);
    } catch (error) {
      awaited?.fail(error);
    }
  }

  /** The app is gone: nothing that it was asked for comes any more. */
  end(): void {
    this.#awaited.forEach(({ fail }) => fail(hostError('host.appGone')));
  }
}

function resultOf(message: JsonObject, method: string): JsonObject {
  const steps = boundMessage(message as unknown as JSONRPCMessage, method);
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next(); // a message of an app is short enough to be looked at in one go
  }
  const bounded = step.value.kind === 'passed' ? (step.value.message as unknown as JsonObject) : {};
  const { result, error } = bounded;
  if (isJsonObject(result)) {
    return result;
  }
  const reason = isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : '';
  throw isJsonObject(error) ? hostError('host.serverError', { reason }) : hostError('host.invalidAnswer', { reason: 'it has no result.' });
}
