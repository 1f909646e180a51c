import { parsedJson } from '../../base/json.ts';
import { isAppError, type AppError } from '../../base/errors.ts';
import { Slices } from '../../base/slices.ts';
import { intakeLimits } from '../intake/intakeLimits.ts';
import { admitLargeText, tooLarge } from '../intake/messageText.ts';

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

/** The most bytes of one message of a server; a longer one is refused. */
const maxMessageBytes = intakeLimits.message.bytes;
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
  Object.defineProperty(copy, 'json', { value: () => jsonOf(copy) });
  return copy;
}

/** Decodes a body piece by piece, as it comes: the platform's own `json()` decodes it in one go, which holds everybody up. */
async function jsonOf(response: Response): Promise<unknown> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
  }
  return JSON.parse(text + decoder.decode()) as unknown;
}

function guardedBody(source: ReadableStream<Uint8Array>, guard: MessageGuard, onEnd: (error: unknown) => void): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const pieces: Uint8Array[] = [];
  let isDone = false;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      // A pull that enqueues nothing is not repeated by the stream, so this reads on until there is something to pass. What came fast
      // is there already: without pauses nobody else would have a turn before all of a large message was read.
      for (let slices: Slices | undefined; !isDone && pieces.length === 0; slices ??= new Slices()) {
        await slices?.pauseIfUsedUp();
        const { done, value } = await reader.read();
        isDone = done;
        const passed = await (done ? guard.end() : guard.accept(value));
        if (passed !== undefined) {
          pieces.push(...piecesOf(passed));
        }
      }
      const [piece] = pieces.splice(0, 1);
      if (piece === undefined) {
        controller.close();
        onEnd(undefined);
        return;
      }
      controller.enqueue(piece);
      if (piece.length >= pieceBytes) {
        // Other work may run between the pieces of a large message.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    } catch (error) {
      controller.error(error);
      onEnd(error);
      await reader.cancel(error).catch(() => undefined);
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

const pieceBytes = 256 * 1024;

function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / pieceBytes);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes));
}

/** Inspects what a server sends before it is kept or parsed. It throws an AppError for what no honest server sends. */
export interface MessageGuard {
  /** Returns what may be passed on now; undefined while a message is incomplete. */
  accept(bytes: Uint8Array): Promise<Uint8Array | undefined>;
  /** Returns what may be passed on when nothing more comes. */
  end(): Promise<Uint8Array | undefined>;
}

/** Guards a body that is one message, and passes it on when it is whole. */
export class BodyGuard implements MessageGuard {
  readonly #limit: number;
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async accept(bytes: Uint8Array): Promise<undefined> {
    this.#size += bytes.byteLength;
    if (this.#size > this.#limit) {
      throw tooLarge(this.#limit);
    }
    this.#parts.push(bytes);
  }

  async end(): Promise<Uint8Array | undefined> {
    const whole = Buffer.concat(this.#parts);
    // Brackets and quotes are single bytes in UTF-8, and no other character contains these bytes.
    const text = whole.toString('latin1');
    const admitted = await admitLargeText(text);
    return whole.length === 0 ? undefined : admitted === text ? whole : Buffer.from(admitted);
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

  async accept(bytes: Uint8Array): Promise<Uint8Array | undefined> {
    const came = this.#decoder.decode(bytes, { stream: true });
    const text = this.#endedWithReturn && came.startsWith('\n') ? came.slice(1) : came;
    this.#endedWithReturn = came === '' ? this.#endedWithReturn : came.endsWith('\r');
    const [rest = '', ...lines] = text.split(/\r\n|\n|\r/).reverse();
    let passed = '';
    for (const line of lines.reverse()) {
      passed += await this.#endLine(line);
    }
    this.#grow(rest);
    return passed === '' ? undefined : encode(passed);
  }

  async end(): Promise<undefined> {
    // What is left is no whole event, and nobody gets it.
  }

  #grow(part: string): void {
    this.#size += Buffer.byteLength(part);
    if (this.#size > this.#limit) {
      throw tooLarge(this.#limit);
    }
    if (part !== '') {
      this.#line.push(part);
    }
  }

  async #endLine(end: string): Promise<string> {
    this.#grow(end);
    const line = this.#line.join('');
    this.#line = [];
    if (line === '') {
      return this.#endEvent();
    }
    if (line.startsWith(':')) {
      this.#size -= Buffer.byteLength(line);
    } else {
      this.#size += 1;
      this.#event.push(line);
    }
    return '';
  }

  async #endEvent(): Promise<string> {
    const event = this.#event;
    this.#event = [];
    this.#size = 0;
    if (event.length === 0) {
      return '';
    }
    const data = event.filter((line) => /^data(:|$)/.test(line)).map((line) => line.replace(/^data: ?|^data$/, ''));
    const text = data.join('\n');
    const admitted = await admitLargeText(text);
    const messages = admitted.startsWith('[') ? membersOf(admitted) : admitted === text ? undefined : [JSON.parse(admitted) as unknown];
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

/** Encodes a text that may be large, in slices. */
async function encode(text: string): Promise<Uint8Array> {
  const slices = new Slices();
  const pieces: Uint8Array[] = [];
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + pieceBytes;
    // A character of two halves is encoded whole.
    end += /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? 1 : 0;
    pieces.push(Buffer.from(text.slice(at, end)));
    await slices.pauseIfUsedUp();
  }
  return pieces.length === 1 ? (pieces[0] ?? new Uint8Array()) : Buffer.concat(pieces);
}

function membersOf(text: string): readonly unknown[] | undefined {
  const parsed = parsedJson(text);
  return Array.isArray(parsed) ? parsed : undefined;
}
