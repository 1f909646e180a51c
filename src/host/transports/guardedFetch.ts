import { isAppError, type AppError } from '../../base/errors.ts';
import { BodyGuard, EventGuard, maxMessageBytes, type MessageGuard } from './messageGuard.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchWatcher {
  /** The server sent what no honest one sends; the connection should end. */
  onViolation(error: AppError): void;
  /** The request never got an answer, for another reason than that it was given up. */
  onNetworkFailure(method: string, error: unknown): void;
  onResponse(method: string, response: Response): void;
  /** The event stream that answered this method is over, however it ended. */
  onStreamEnd(method: string): void;
}

/** What is read of the page that explains a refusal. */
const maxRefusalBytes = 64 * 1024;

/** A fetch that keeps what it reads within measure and tells what happens to the connection. */
export function guardedFetch(base: Fetch, watcher: FetchWatcher): Fetch {
  return async (url, init) => {
    const method = (init?.method ?? 'GET').toUpperCase();
    let response: Response;
    try {
      response = await base(url, init);
    } catch (error) {
      if (init?.signal?.aborted !== true) {
        watcher.onNetworkFailure(method, error);
      }
      throw error;
    }
    watcher.onResponse(method, response);
    return guarded(response, method, watcher);
  };
}

function guarded(response: Response, method: string, watcher: FetchWatcher): Response {
  const { body, status, statusText, headers, url } = response;
  if (body === null) {
    return response;
  }
  const isStream = response.ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const guard = isStream ? new EventGuard(maxMessageBytes) : new BodyGuard(response.ok ? maxMessageBytes : maxRefusalBytes);
  const onEnd = (error: unknown): void => {
    if (isAppError(error) && response.ok) {
      watcher.onViolation(error);
    }
    if (isStream) {
      watcher.onStreamEnd(method);
    }
  };
  const copy = new Response(guardedBody(body, guard, onEnd), { status, statusText, headers });
  Object.defineProperty(copy, 'url', { value: url });
  return copy;
}

function guardedBody(source: ReadableStream<Uint8Array>, guard: MessageGuard, onEnd: (error: unknown) => void): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      // Reads on until there is something to pass: a pull that passes nothing is not repeated.
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          onEnd(undefined);
          return;
        }
        const passed = guard.accept(value);
        if (passed !== undefined) {
          controller.enqueue(passed);
          return;
        }
      }
    } catch (error) {
      controller.error(error);
      onEnd(error);
      await reader.cancel(error).catch(() => undefined);
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}
