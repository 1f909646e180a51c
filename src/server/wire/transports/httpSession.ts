import type { ServerResponse } from 'node:http';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Session } from '../../protocol/legacy/session.ts';
import { primesStreams } from '../../protocol/requests/revisions.ts';
import type { ReplySink } from '../../protocol/rpc/rpc.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import { sendAccepted, sendJson } from '../http/answers.ts';
import { streamOwner, type SseConnection, type StreamHub, type StreamOwner } from './streamHub.ts';

/** The most streams of POST requests, running or finished, that a client can resume. */
const maxPostStreams = 64;

/** A session of `/mcp` with its streams: the standing one that a GET opens, and those that answer POST requests. */
export class HttpSession implements Disposable {
  readonly #log = new EventLog();
  readonly #postStreams = new Map<string, ResumableStream>();
  readonly standing = new ResumableStream('s', this.#log);
  #session: Session | undefined;
  #count = 0;

  /** Sets the session. It is made after its streams, because it may send something at once. */
  adopt(session: Session): void {
    this.#session = session;
  }

  get session(): Session {
    if (this.#session === undefined) {
      throw new Error('used before adopt()');
    }
    return this.#session;
  }

  openPostStream(): ResumableStream {
    this.#count += 1;
    const stream = new ResumableStream(`p${this.#count}`, this.#log);
    this.#postStreams.set(stream.name, stream);
    const [oldest] = this.#postStreams.keys();
    if (this.#postStreams.size > maxPostStreams && oldest !== undefined) {
      this.#postStreams.delete(oldest);
    }
    return stream;
  }

  findStream(name: string): ResumableStream | undefined {
    return name === this.standing.name ? this.standing : this.#postStreams.get(name);
  }

  dispose(): void {
    this.standing.finish();
    for (const stream of this.#postStreams.values()) {
      stream.finish();
    }
  }
}

export interface ExchangeOptions {
  readonly response: ServerResponse;
  readonly credential: WireCredential;
  readonly session: HttpSession;
  readonly hub: StreamHub;
  readonly acceptsJson: boolean;
  readonly acceptsSse: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The answer to one POST: plain JSON if nothing is sent before it, otherwise a stream. */
export class PostExchange implements ReplySink {
  readonly #options: ExchangeOptions;
  #stream: ResumableStream | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  respond(text: string, status = 200): void {
    if (this.#stream === undefined && (this.#options.acceptsJson || status !== 200)) {
      sendJson(this.#options.response, status, text, this.#options.headers);
      return;
    }
    const stream = this.#openStream();
    stream.send(text);
    stream.finish();
  }

  notify(text: string): void {
    const { acceptsSse, hub } = this.#options;
    if (this.#stream !== undefined || (acceptsSse && hub.hasRoom(this.#owner))) {
      this.#openStream().send(text);
    }
  }

  abandon(): void {
    if (this.#options.acceptsSse) {
      this.#openStream().finish();
    } else {
      sendAccepted(this.#options.response);
    }
  }

  get #owner(): StreamOwner {
    return streamOwner(this.#options.session.session, this.#options.credential);
  }

  #openStream(): ResumableStream {
    if (this.#stream === undefined) {
      const { response, session, hub, headers } = this.#options;
      this.#stream = session.openPostStream();
      if (!response.headersSent && !response.destroyed) {
        this.#stream.attach(hub.open(response, this.#owner, headers), { prime: primesStreams(session.session.revision) });
      }
    }
    return this.#stream;
  }
}

interface StoredEvent {
  readonly stream: string;
  readonly sequence: number;
  readonly text: string;
}

/** The last events of all streams of a session; the oldest are dropped first. */
class EventLog {
  readonly #maxEvents: number;
  readonly #maxCharacters: number;
  readonly #events: StoredEvent[] = [];
  #characters = 0;

  constructor(maxEvents = 500, maxCharacters = 512 * 1024) {
    this.#maxEvents = maxEvents;
    this.#maxCharacters = maxCharacters;
  }

  append(event: StoredEvent): void {
    this.#events.push(event);
    this.#characters += event.text.length;
    while (this.#events.length > this.#maxEvents || this.#characters > this.#maxCharacters) {
      this.#characters -= this.#events.shift()?.text.length ?? 0;
    }
  }

  after(stream: string, sequence: number): readonly StoredEvent[] {
    return this.#events.filter((event) => event.stream === stream && event.sequence > sequence);
  }
}

/** A stream of events that outlives its connection: a client can resume it after the event with the id `name_sequence`. */
class ResumableStream {
  readonly name: string;
  readonly #log: EventLog;
  #connection: SseConnection | undefined;
  #last = 0;
  #delivered = 0;
  #isFinished = false;

  constructor(name: string, log: EventLog) {
    this.name = name;
    this.#log = log;
  }

  get isAttached(): boolean {
    return this.#connection?.isOpen === true;
  }

  get connection(): SseConnection | undefined {
    return this.#connection;
  }

  /** Continues on a new connection and closes the earlier one, which may be half open. It first sends the events after `after`. */
  attach(connection: SseConnection, options: { readonly prime: boolean; readonly after?: number | undefined }): void {
    const earlier = this.#connection;
    this.#connection = connection;
    earlier?.giveWay();
    const after = options.after ?? this.#delivered;
    if (options.prime && options.after === undefined) {
      connection.prime(this.#eventId(after));
    }
    for (const event of this.#log.after(this.name, after)) {
      connection.message(event.text, this.#eventId(event.sequence));
    }
    this.#delivered = this.#last;
    if (this.#isFinished) {
      connection.end();
    }
  }

  send(text: string): void {
    this.#last += 1;
    this.#log.append({ stream: this.name, sequence: this.#last, text });
    if (this.#connection?.isOpen === true) {
      this.#connection.message(text, this.#eventId(this.#last));
      this.#delivered = this.#last;
    }
  }

  finish(): void {
    this.#isFinished = true;
    this.#connection?.end();
  }

  #eventId(sequence: number): string {
    return `${this.name}_${sequence}`;
  }
}

export function parseEventId(id: string): { readonly stream: string; readonly sequence: number } | undefined {
  const match = /^([a-z]\d*)_(\d{1,15})$/.exec(id);
  return match?.[1] === undefined ? undefined : { stream: match[1], sequence: Number(match[2]) };
}
