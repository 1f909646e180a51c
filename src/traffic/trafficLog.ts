import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/events.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { messageFactsOf, factsOfStart, type MessageFacts } from './messageFacts.ts';
import { ellipsis, type MaskText, toShownMessage, type ShownMessage } from './shownMessage.ts';
import { isLargeText, type TrafficDirection, type TrafficPeer, type TrafficTap } from './trafficTap.ts';

/** A request with its answer, or a message that has none. */
export interface TrafficRecord {
  readonly number: number;
  /** When it came, in milliseconds since 1970. */
  readonly time: number;
  readonly peer: TrafficPeer;
  /** The direction of the request. */
  readonly direction: TrafficDirection;
  readonly kind: MessageFacts['kind'];
  readonly method: string;
  readonly subject: string;
  readonly message: ShownMessage;
  readonly answer: TrafficAnswer | undefined;
  /** The request as it was sent, unmasked, to send it again; only for our own requests. It never leaves this process. */
  readonly again: JsonObject | undefined;
  /** Rises with every change of any record. */
  readonly version: number;
}

export interface TrafficAnswer {
  readonly message: ShownMessage;
  readonly isError: boolean;
  readonly durationMs: number;
}

export interface TrafficLimits {
  readonly maxRecords: number;
  /** The most characters of all texts that are kept. */
  readonly maxCharacters: number;
}

export interface TrafficLogOptions {
  readonly clock: Clock;
  readonly mask: (peer: TrafficPeer) => MaskText;
  /** Which of our own requests are kept unmasked, to be sent again. */
  readonly canRepeat: (method: string) => boolean;
  readonly limits?: TrafficLimits | undefined;
}

const defaultLimits: TrafficLimits = { maxRecords: 10_000, maxCharacters: 24 * 1024 * 1024 };
/** The longest text that is parsed; a longer one would take too long. */
const maxParsedLength = 2 * 1024 * 1024;
const maxRepeatedSize = 256 * 1024;

interface Noted {
  readonly peer: TrafficPeer;
  readonly direction: TrafficDirection;
  readonly channel: string;
  readonly facts: MessageFacts;
  readonly message: ShownMessage;
  readonly raw: unknown;
}

interface Open {
  readonly number: number;
  readonly since: number;
}

/** The latest messages; the oldest make room for new ones. While the log is not open, it takes none. */
export class TrafficLog implements TrafficTap, Disposable {
  readonly #options: TrafficLogOptions;
  readonly #limits: TrafficLimits;
  readonly #records = new Map<number, TrafficRecord>();
  /** Requests without an answer, by peer, channel, direction and id. */
  readonly #open = new Map<string, Open>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #isOpen = false;
  #count = 0;
  #version = 0;
  #characters = 0;
  #dropped = 0;

  constructor(options: TrafficLogOptions) {
    this.#options = options;
    this.#limits = options.limits ?? defaultLimits;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How many records were dropped since the last `clear`. */
  get dropped(): number {
    return this.#dropped;
  }

  get size(): number {
    return this.#records.size;
  }

  get version(): number {
    return this.#version;
  }

  /** The number of the oldest record that is kept, or of the next one when there is none. */
  get first(): number {
    const [first] = this.#records.keys();
    return first ?? this.#count + 1;
  }

  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
  }

  note(peer: TrafficPeer, direction: TrafficDirection, message: unknown, channel = ''): void {
    if (!this.#isOpen) {
      return;
    }
    const parsed = typeof message === 'string' ? parse(message) : { value: message };
    if (parsed === undefined) {
      const text = message as string;
      this.#take({ peer, direction, channel, facts: factsOfStart(text), message: leftOut(text.length), raw: undefined });
    } else {
      for (const each of Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : [parsed.value]) {
        const shown = toShownMessage(each, this.#options.mask(peer));
        this.#take({ peer, direction, channel, facts: messageFactsOf(each), message: shown, raw: each });
      }
    }
    this.#changed.fire();
  }

  clear(): void {
    this.#records.clear();
    this.#open.clear();
    this.#characters = 0;
    this.#dropped = 0;
    this.#version += 1;
    this.#changed.fire();
  }

  find(number: number): TrafficRecord | undefined {
    return this.#records.get(number);
  }

  /** All records, in the order they came. */
  list(): readonly TrafficRecord[] {
    return [...this.#records.values()];
  }

  dispose(): void {
    this.#isOpen = false;
    this.#records.clear();
    this.#open.clear();
    this.#changed.dispose();
  }

  #take({ peer, direction, channel, facts, message, raw }: Noted): void {
    const keyOf = (from: TrafficDirection, id: string): string => [peer.side, peer.id, channel, from, id].join(' ');
    if (facts.kind === 'answer' && this.#pair(keyOf(direction === 'sent' ? 'received' : 'sent', facts.id), facts.isError, message)) {
      return;
    }
    this.#count += 1;
    const number = this.#count;
    const { clock, canRepeat } = this.#options;
    const [method, subject] = 'method' in facts ? [facts.method, facts.subject] : ['', ''];
    const isKept = facts.kind === 'request' && direction === 'sent' && message.size <= maxRepeatedSize && canRepeat(method);
    const again = isKept && isJsonObject(raw) ? raw : undefined;
    const mask = this.#options.mask(peer);
    const shown = { method: mask(method), subject: mask(subject) };
    this.#version += 1;
    const common = { number, time: clock.wallTime(), peer, direction, kind: facts.kind, ...shown, message, again, version: this.#version };
    this.#records.set(number, { ...common, answer: undefined });
    this.#characters += message.text.length + (again === undefined ? 0 : message.size);
    if (facts.kind === 'request') {
      this.#open.set(keyOf(direction, facts.id), { number, since: clock.now() });
    }
    this.#makeRoom();
  }

  /** Adds an answer to its request. False when no request is known for it. */
  #pair(key: string, isError: boolean, message: ShownMessage): boolean {
    const open = this.#open.get(key);
    const record = open && this.#records.get(open.number);
    this.#open.delete(key);
    if (open === undefined || record === undefined) {
      return false;
    }
    const answer = { message, isError, durationMs: this.#options.clock.now() - open.since };
    this.#version += 1;
    this.#records.set(record.number, { ...record, answer, version: this.#version });
    this.#characters += message.text.length;
    this.#makeRoom();
    return true;
  }

  #makeRoom(): void {
    const { maxRecords, maxCharacters } = this.#limits;
    for (const record of this.#records.values()) {
      if (this.#records.size <= maxRecords && this.#characters <= maxCharacters) {
        break;
      }
      this.#records.delete(record.number);
      this.#characters -= weightOf(record);
      this.#dropped += 1;
    }
    // A request whose record was dropped would wait for its answer forever.
    if (this.#open.size > maxRecords) {
      const [oldest] = this.#open.keys();
      this.#open.delete(oldest ?? '');
    }
  }
}

function weightOf({ message, answer, again }: TrafficRecord): number {
  return message.text.length + (again === undefined ? 0 : message.size) + (answer?.message.text.length ?? 0);
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return text.length > maxParsedLength || isLargeText(text) ? undefined : { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** A message of which only the size is kept. */
function leftOut(size: number): ShownMessage {
  return { text: JSON.stringify(ellipsis), size, isSizeLeast: false, isCut: true, hasSecrets: false };
}

/** One line of JSON for each exchange, as it is shown, without secrets. */
export function trafficLines(records: readonly TrafficRecord[]): string {
  return records.map((record) => `${lineOf(record)}\n`).join('');
}

/** The line of one exchange; the messages in it are JSON already. */
function lineOf({ number, time, peer, direction, kind, message, answer }: TrafficRecord): string {
  const about = JSON.stringify({ number, time: new Date(time).toISOString(), [peer.side]: peer.name, direction, kind });
  const heard =
    answer === undefined
      ? ''
      : `,"durationMs":${Math.round(answer.durationMs * 10) / 10},"isError":${answer.isError},"answer":${answer.message.text}`;
  return `${about.slice(0, -1)},"message":${message.text}${heard}}`;
}
