import { isAppError, type AppError } from '../../base/errors.ts';
import { DepthScanner, maxMessageBytes, tooLarge } from './messageBounds.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchWatcher {
  /** Called when the server sends what no honest server sends; the connection should end. */
  onViolation(error: AppError): void;
  /** Called when a request got no answer, unless the caller itself gave it up. */
  onNetworkFailure(method: string, error: unknown): void;
  onResponse(method: string, response: Response): void;
  /** Called when the event stream that answered this method is over, however it ended. */
  onStreamEnd(method: string): void;
}

/** How much is read of the page that explains a refusal. */
const maxRefusalBytes = 64 * 1024;

/** A fetch that limits what it reads and reports what happens to the connection. */
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
      // A pull that enqueues nothing is not repeated by the stream, so this reads on until there is something to pass.
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

/** Inspects what a server sends before it is kept or parsed. It throws an AppError for what no honest server sends. */
export interface MessageGuard {
  /** Returns what may be passed on now; undefined while a message is incomplete. */
  accept(bytes: Uint8Array): Uint8Array | undefined;
}

/** Guards a body that is one message. */
export class BodyGuard implements MessageGuard {
  readonly #limit: number;
  readonly #depth = new DepthScanner();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  accept(bytes: Uint8Array): Uint8Array {
    this.#size += bytes.byteLength;
    if (this.#size > this.#limit) {
      throw tooLarge(this.#limit);
    }
    // Brackets and quotes are single bytes in UTF-8, and no other character contains these bytes.
    this.#depth.scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
    return bytes;
  }
}

/**
 * Guards an event stream and passes whole events on. Comments, which only keep the connection alive, end here. An event with
 * several messages in an array, which revisions before 2025-06-18 allow, becomes several events.
 */
export class EventGuard implements MessageGuard {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #line: string[] = [];
  #event: string[] = [];
  #size = 0;
  #endedWithReturn = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  accept(bytes: Uint8Array): Uint8Array | undefined {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (this.#endedWithReturn && text.startsWith('\n')) {
      text = text.slice(1);
    }
    this.#endedWithReturn = text === '' ? this.#endedWithReturn : text.endsWith('\r');
    const [rest = '', ...lines] = text.split(/\r\n|\n|\r/).reverse();
    let passed = '';
    for (const line of lines.reverse()) {
      passed += this.#endLine(line);
    }
    this.#grow(rest);
    return passed === '' ? undefined : Buffer.from(passed);
  }

  #grow(part: string): void {
    this.#size += part.length;
    if (this.#size > this.#limit) {
      throw tooLarge(this.#limit);
    }
    if (part !== '') {
      this.#line.push(part);
    }
  }

  #endLine(end: string): string {
    this.#grow(end);
    const line = this.#line.join('');
    this.#line = [];
    if (line === '') {
      return this.#endEvent();
    }
    if (line.startsWith(':')) {
      this.#size -= line.length;
    } else {
      this.#size += 1;
      this.#event.push(line);
    }
    return '';
  }

  #endEvent(): string {
    const event = this.#event;
    this.#event = [];
    this.#size = 0;
    if (event.length === 0) {
      return '';
    }
    const data = event.filter((line) => /^data(:|$)/.test(line)).map((line) => line.replace(/^data: ?|^data$/, ''));
    const text = data.join('\n');
    new DepthScanner().scan(text);
    const messages = text.startsWith('[') ? membersOf(text) : undefined;
    if (messages === undefined) {
      return `${event.join('\n')}\n\n`;
    }
    const others = event.filter((line) => !/^data(:|$)/.test(line));
    const kind = others.filter((line) => line.startsWith('event'));
    return messages
      .map((message, index) => {
        // The id stands for the whole event, so only the last of its messages carries it.
        const fields = index === messages.length - 1 ? others : kind;
        return [...fields, `data: ${JSON.stringify(message)}`, '', ''].join('\n');
      })
      .join('');
  }
}

function membersOf(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
