import type { SseConnection } from './sseConnection.ts';

interface StoredEvent {
  readonly stream: string;
  readonly sequence: number;
  readonly text: string;
}

/** The last events of one session, of all its streams together; the oldest go first. */
export class EventLog {
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

/** A stream of events that outlives its connection: what was sent can be had again under `name_sequence`. */
export class ResumableStream {
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

  /** Takes over from an earlier connection, which may be half open, and sends what came after `sequence`. */
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
