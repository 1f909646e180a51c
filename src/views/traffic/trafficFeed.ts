import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ScriptRefusal, SendAgainRefusal, TrafficDetail, TrafficRow, TrafficRows } from '../../contract/pages/trafficMessages.ts';
import { isRepeatable } from '../../traffic/messageFacts.ts';
import type { TrafficLog, TrafficRecord } from '../../traffic/trafficLog.ts';

export interface TrafficFeedOptions {
  readonly log: TrafficLog;
  readonly clock: Clock;
  readonly whyNoScript: (record: TrafficRecord) => ScriptRefusal | undefined;
  readonly postRows: (rows: TrafficRows) => void;
  readonly postFound: (found: { readonly text: string; readonly numbers: number[] }) => void;
  readonly postDetail: (detail: TrafficDetail) => void;
  /** Lets other work go on during a long search. */
  readonly letOthersWork: () => Promise<void>;
}

/** How long, in ms, messages are gathered into one delivery to the page. A delivery has no more rows than the page can draw at once. */
const intervalMs = 120;
/** The most rows of one delivery to the page. */
const maxRowsAtOnce = 1_000;
/** How many characters are searched before other work may go on. Most have to be made ready to be shown first, which takes far longer. */
const maxSearched = 512 * 1024;

interface Looking {
  readonly pattern: RegExp | undefined;
  /** The numbers of the records found so far, while a search is under way. */
  readonly numbers: Set<number> | undefined;
}

/** Sends the traffic to one page, in deliveries, from `start` on. */
export class TrafficFeed implements Disposable {
  readonly #options: TrafficFeedOptions;
  readonly #lifetime = new DisposableStore();
  #version = -1;
  #first = 0;
  #timer: Disposable | undefined;
  #looking: Looking = { pattern: undefined, numbers: undefined };
  #selected: { readonly number: number; readonly version: number } | undefined;

  constructor(options: TrafficFeedOptions) {
    this.#options = options;
    this.#lifetime.add(options.log.onDidChange(() => this.#later()));
  }

  /** Begins with a page that has just been loaded and knows nothing. */
  start(): void {
    this.#version = -1;
    this.#selected = undefined;
    this.#deliver();
  }

  /** Searches all records. The result of an earlier search that is still under way is dropped. */
  async find(text: string): Promise<void> {
    const numbers = new Set<number>();
    const looking: Looking = { pattern: text === '' ? undefined : patternOf(text), numbers };
    this.#looking = looking;
    let searched = 0;
    for (const record of this.#options.log.list()) {
      searched += lengthOf(record);
      if (searched > maxSearched) {
        searched = 0;
        await this.#options.letOthersWork();
        if (this.#looking !== looking || this.#lifetime.isDisposed) {
          return;
        }
      }
      if (isMatch(record, looking.pattern)) {
        numbers.add(record.number);
      }
    }
    this.#looking = { pattern: looking.pattern, numbers: undefined };
    this.#options.postFound({ text, numbers: [...numbers] });
  }

  select(number: number | undefined): void {
    const record = number === undefined ? undefined : this.#options.log.find(number);
    this.#selected = record && { number: record.number, version: record.version };
    if (record !== undefined) {
      this.#options.postDetail(detailOf(record, this.#options.whyNoScript(record)));
    }
  }

  /** Selects the newest record of the same kind that came after this one, if there is one. */
  selectLike({ number, peer, method, subject }: TrafficRecord): void {
    this.#deliver(); // so that the page knows the record that is selected next
    const later = this.#options.log
      .list()
      .findLast((each) => each.number > number && each.peer.id === peer.id && each.method === method && each.subject === subject);
    this.select(later?.number ?? number);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#lifetime.dispose();
  }

  #later(): void {
    if (this.#version >= 0) {
      this.#timer ??= this.#options.clock.schedule(intervalMs, () => this.#deliver());
    }
  }

  #deliver(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { log, postRows } = this.#options;
    const isFresh = this.#version < 0;
    const changed = log.list().filter(({ version }) => version > this.#version);
    const sorted = changed.sort((one, other) => one.version - other.version);
    const { pattern, numbers } = this.#looking;
    const sent = sorted.slice(0, pattern === undefined ? maxRowsAtOnce : countWithin(sorted));
    if (sent.length > 0 || isFresh || this.#first !== log.first) {
      const matching = sent.filter((record) => isMatch(record, pattern)).map(({ number }) => number);
      // A search that is under way may have passed these records already; it sends its numbers at the end.
      matching.forEach((number) => numbers?.add(number));
      postRows({ first: log.first, dropped: log.dropped, rows: sent.map(rowOf), matching });
    }
    this.#first = log.first;
    this.#version = sent.length < sorted.length ? (sent.at(-1)?.version ?? 0) : log.version;
    const selected = this.#selected;
    if (selected !== undefined && sent.some(({ number, version }) => number === selected.number && version > selected.version)) {
      this.select(selected.number);
    }
    if (sent.length < sorted.length) {
      this.#later();
    }
  }
}

/** How many of these records can be searched at once; at least one. */
function countWithin(records: readonly TrafficRecord[]): number {
  let searched = 0;
  const end = records.findIndex((record) => (searched += lengthOf(record)) > maxSearched);
  return Math.min(maxRowsAtOnce, end < 0 ? records.length : Math.max(1, end));
}

function lengthOf({ message, answer }: TrafficRecord): number {
  return message.weight + (answer?.message.weight ?? 0);
}

function rowOf({ number, time, peer, direction, kind, method, subject, message, answer }: TrafficRecord): TrafficRow {
  const state = answer === undefined ? (kind === 'request' ? 'waiting' : 'plain') : answer.isError ? 'failed' : 'answered';
  return {
    number,
    time,
    side: peer.side,
    peerId: peer.id,
    peer: revealInvisible(peer.name),
    direction,
    kind,
    method: revealInvisible(method),
    subject: revealInvisible(subject),
    size: message.size + (answer?.message.size ?? 0),
    isSizeLeast: message.isSizeLeast || answer?.message.isSizeLeast === true,
    isCut: message.isCut || answer?.message.isCut === true,
    state,
    ...(answer === undefined ? {} : { durationMs: answer.durationMs }),
  };
}

function detailOf(record: TrafficRecord, noScript: ScriptRefusal | undefined): TrafficDetail {
  const { number, message, answer } = record;
  const noSendAgain = whyNotAgain(record);
  return {
    number,
    message: message.text,
    ...(answer === undefined ? {} : { answer: answer.message.text }),
    isCut: message.isCut || answer?.message.isCut === true,
    hasSecrets: message.hasSecrets || answer?.message.hasSecrets === true,
    ...(noSendAgain === undefined ? {} : { noSendAgain }),
    ...(noScript === undefined ? {} : { noScript }),
  };
}

function whyNotAgain({ again, kind, direction, peer, method }: TrafficRecord): SendAgainRefusal | undefined {
  if (again !== undefined) {
    return undefined;
  }
  const isOurs = kind === 'request' && direction === 'sent' && peer.side === 'server';
  return !isOurs ? 'notOurs' : isRepeatable(method) ? 'tooLong' : 'method';
}

/** A pattern that finds the text as it is, or as JSON escapes it. It has no repetition, so it takes a single pass. */
function patternOf(text: string): RegExp {
  const literal = (each: string): string => each.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const written = JSON.stringify(text).slice(1, -1);
  return new RegExp([...new Set([text, written])].map(literal).join('|'), 'i');
}

function isMatch({ peer, method, subject, message, answer }: TrafficRecord, pattern: RegExp | undefined): boolean {
  return pattern === undefined || [method, subject, peer.name, message.text, answer?.message.text ?? ''].some((each) => pattern.test(each));
}

/** Keeps since when messages are recorded, and whether there were gaps. */
export class RecordingTime {
  #since = 0;
  #isOn = false;
  #hasGaps = false;

  /** When the recording began, in ms since 1970; 0 while nothing was recorded. */
  get since(): number {
    return this.#since;
  }

  /** Whether the recording was interrupted; also true while it is, because the gap has begun. */
  get hasGaps(): boolean {
    return this.#hasGaps;
  }

  set(isOn: boolean, now: number): void {
    this.#hasGaps ||= this.#since !== 0 && !isOn;
    this.#since = isOn && this.#since === 0 ? now : this.#since;
    this.#isOn = isOn;
  }

  /** Begins anew after the records were cleared. */
  clear(now: number): void {
    this.#since = this.#isOn ? now : 0;
    this.#hasGaps = false;
  }
}
