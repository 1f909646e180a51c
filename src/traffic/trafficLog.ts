import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/events.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { messageFactsOf, factsOfStart, type MessageFacts } from './messageFacts.ts';
import { ellipsis, keepMessage, keepText, maskedStart, type MaskText, type ShownMessage } from './shownMessage.ts';
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
  /** A number that rises with every change of any record. */
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
/** The longest request of ours, in characters of its JSON, that is kept to be sent again. */
const maxRepeatedSize = 256 * 1024;
/** The most characters of the method of a message. */
const maxMethodLength = 200;
/** The most characters of what a message is about, such as the name of a tool. */
const maxSubjectLength = 300;
/** The longest answer of ours that is kept as its text. */
const maxUnparsedLength = 32 * 1024;

/** Between whom a message passes, in which channel, and how the secrets in it are hidden. */
interface Way {
  readonly peer: TrafficPeer;
  readonly direction: TrafficDirection;
  readonly channel: string;
  readonly mask: MaskText;
}

interface Noted extends Way {
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
  #first = 1;
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
    return this.#first;
  }

  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
  }

  note(peer: TrafficPeer, direction: TrafficDirection, message: unknown, channel = ''): void {
    if (!this.#isOpen) {
      return;
    }
    const way = { peer, direction, channel, mask: this.#options.mask(peer) };
    const take = (value: unknown): void =>
      this.#take({ ...way, facts: messageFactsOf(value), message: keepMessage(value, way.mask), raw: value });
    if (typeof message === 'string') {
      this.#noteText(message, way, take);
    } else if (Array.isArray(message)) {
      message.forEach(take);
    } else {
      take(message);
    }
    this.#changed.fire();
  }

  /** Takes a message as text. Of our own answers, all that has to be known stands at the beginning, so they are not even parsed. */
  #noteText(text: string, way: Way, take: (value: unknown) => void): void {
    const start = factsOfStart(text);
    if (way.direction === 'sent' && start.kind === 'answer' && text.length <= maxUnparsedLength && !text.includes('"isError":true')) {
      this.#take({ ...way, facts: start, message: keepText(text, way.mask), raw: undefined });
      return;
    }
    const parsed = parse(text);
    if (parsed === undefined) {
      this.#take({ ...way, facts: start, message: leftOut(text.length), raw: undefined });
    } else if (Array.isArray(parsed.value)) {
      parsed.value.forEach(take);
    } else {
      take(parsed.value);
    }
  }

  clear(): void {
    this.#records.clear();
    this.#first = this.#count + 1;
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

  #take({ peer, direction, channel, mask, facts, message, raw }: Noted): void {
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
    const shown = { method: maskedStart(method, maxMethodLength, mask), subject: maskedStart(subject, maxSubjectLength, mask) };
    this.#version += 1;
    const common = { number, time: clock.wallTime(), peer, direction, kind: facts.kind, ...shown, message, again, version: this.#version };
    this.#records.set(number, { ...common, answer: undefined });
    this.#characters += message.weight + (again === undefined ? 0 : message.size);
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
    this.#characters += message.weight;
    this.#makeRoom();
    return true;
  }

  #makeRoom(): void {
    const { maxRecords, maxCharacters } = this.#limits;
    while (this.#records.size > maxRecords || this.#characters > maxCharacters) {
      const oldest = this.#records.get(this.#first);
      if (oldest === undefined) {
        break;
      }
      this.#records.delete(this.#first);
      this.#characters -= weightOf(oldest);
      this.#dropped += 1;
      this.#first += 1;
    }
    // A request whose record was dropped would wait for its answer forever.
    if (this.#open.size > maxRecords) {
      const [oldest] = this.#open.keys();
      this.#open.delete(oldest ?? '');
    }
  }
}

function weightOf({ message, answer, again }: TrafficRecord): number {
  return message.weight + (again === undefined ? 0 : message.size) + (answer?.message.weight ?? 0);
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
  const text = JSON.stringify(ellipsis);
  return { text, size, isSizeLeast: false, isCut: true, hasSecrets: false, weight: text.length };
}

/** How many exchanges are written before other work may go on. */
const maxLinesAtOnce = 100;

/** One line of JSON for each exchange, as it is shown, without secrets. */
export async function trafficLines(records: readonly TrafficRecord[], letOthersWork: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  for (const record of records) {
    lines.push(`${lineOf(record)}\n`);
    if (lines.length % maxLinesAtOnce === 0) {
      await letOthersWork();
    }
  }
  return lines.join('');
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
