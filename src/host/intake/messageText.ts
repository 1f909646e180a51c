import { StringDecoder } from 'node:string_decoder';
import type { AppError } from '../../base/errors.ts';
import { isJsonObject, parsedJson } from '../../base/json.ts';
import { JsonScan } from '../../base/jsonText.ts';
import { Slices } from '../../base/slices.ts';
import { answerTooLarge } from '../shared/failures.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { JSONRPCMessage } from '../shared/sdk.ts';
import { intakeLimits } from './intakeLimits.ts';

const { bytes: maxMessageBytes } = intakeLimits.message;
const backslash = 0x5c;

export function tooLarge(limit: number): AppError {
  return hostError('host.messageTooLarge', { megabytes: Math.round(limit / 1024 / 1024) });
}

/**
 * Whether several messages may come in one array. The two oldest revisions require clients to accept that; it is gone from
 * 2025-06-18 on.
 */
export function mayBatch(revision: string | undefined): boolean {
  return revision === undefined || revision < '2025-06-18';
}

export const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not part of this protocol revision.' },
} as const;

/**
 * Looks at the text of a message before it is parsed. Returns the text to be parsed instead: of an answer with too many parts, the error
 * that its caller gets. Throws an AppError for what no honest server sends.
 */
export function admitText(text: string): string {
  return judge(new JsonScan(text, intakeLimits.message).goOn(), text);
}

/** Admits a text that may be large, as `admitText` does, in slices. */
export async function admitLargeText(text: string, slices = new Slices()): Promise<string> {
  if (await hasManyEscapes(text, slices)) {
    return judge('tooManyParts', text);
  }
  const scan = new JsonScan(text, intakeLimits.message);
  let found = scan.goOn(stepBytes);
  for (; found === 'unfinished'; found = scan.goOn(stepBytes)) {
    await slices.pauseIfUsedUp();
  }
  return judge(found, text);
}

/** Each takes at least two characters, so that most texts need no look. */
async function hasManyEscapes(text: string, slices: Slices): Promise<boolean> {
  const most = intakeLimits.message.escapes;
  let count = 0;
  for (let at = 0; text.length > 2 * most && at < text.length; at += stepBytes) {
    for (let place = at, end = Math.min(at + stepBytes, text.length); place < end; place += 1) {
      count += text.charCodeAt(place) === backslash ? 1 : 0;
    }
    if (count > most) {
      return true;
    }
    await slices.pauseIfUsedUp();
  }
  return false;
}

function judge(found: ReturnType<JsonScan['goOn']>, text: string): string {
  switch (found) {
    case 'fine':
    case 'unfinished':
      return text;
    case 'tooDeep':
      throw hostError('host.messageTooDeep');
    case 'tooManyParts': {
      const id = idOfAnswer(text);
      if (id === undefined) {
        throw hostError('host.tooManyValues');
      }
      return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":${JSON.stringify(answerTooLarge)}}}`;
    }
  }
}

/** How far the id of an answer can be from its beginning or its end. */
const idReach = 300;
const idMember = /"id"\s*:\s*(-?\d{1,15}|"[^"\\]{1,100}")/g;

/** The id, as JSON, of a message that is too large to be parsed: servers write it before the result or after it. */
function idOfAnswer(text: string): string | undefined {
  const head = text.slice(0, idReach).split(/"(?:result|params)"/)[0] ?? '';
  if (head.includes('"method"')) {
    return undefined;
  }
  const [first] = head.matchAll(idMember);
  return first?.[1] ?? [...text.slice(-idReach).matchAll(idMember)].at(-1)?.[1];
}

/** Takes what a MessageReader reads. */
export interface MessageTaker {
  readonly mayBatch: () => boolean;
  take(message: JSONRPCMessage): void;
  /** Several messages came at once, although the revision has no batches. */
  refuseBatch(): void;
  /** A text that is no message. */
  stray(text: string): void;
  fail(error: AppError): void;
}

/** Texts up to this many bytes are read at once. */
const maxSmall = 64 * 1024;
const stepBytes = 512 * 1024;
/** The most bytes of messages that wait to be read; with more, reading fails. */
const maxWaitingBytes = 8 * maxMessageBytes;

/** Reads messages from their bytes, in their order. A large one is decoded, looked at and parsed in slices; of many small ones some wait. */
export class MessageReader {
  readonly #taker: MessageTaker;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #working: Promise<void> | undefined;
  readonly #turn = new TurnCount(intakeLimits.perTurn);
  #isOver = false;

  constructor(taker: MessageTaker) {
    this.#taker = taker;
  }

  read(bytes: Buffer): void {
    if (this.#isOver) {
      return;
    }
    if (this.#working === undefined && bytes.length <= maxSmall && this.#turn.take()) {
      this.#readAtOnce(bytes);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > maxWaitingBytes) {
      this.#fail(tooLarge(maxWaitingBytes));
    } else {
      this.#working ??= this.#work();
    }
  }

  /** Resolves when everything that came so far was taken; undefined when nothing waits. */
  get idle(): Promise<void> | undefined {
    return this.#working;
  }

  async #work(): Promise<void> {
    // Nothing may end before `#working` is set.
    await this.#turn.next();
    for (let next = this.#waiting.shift(); next !== undefined && !this.#isOver; next = this.#waiting.shift()) {
      this.#waitingBytes -= next.length;
      if (next.length <= maxSmall) {
        if (!this.#turn.take()) {
          await this.#turn.next();
        }
        this.#readAtOnce(next);
        continue;
      }
      const slices = new Slices();
      try {
        const text = await admitLargeText(await decode(next, slices), slices);
        await slices.pauseIfUsedUp();
        this.#take(text);
      } catch (error) {
        this.#fail(error as AppError);
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.#working = undefined;
  }

  #readAtOnce(bytes: Buffer): void {
    try {
      this.#take(admitText(bytes.toString('utf8')));
    } catch (error) {
      this.#fail(error as AppError);
    }
  }

  #take(text: string): void {
    const parsed = parsedJson(text);
    if (isJsonObject(parsed)) {
      this.#taker.take(parsed as unknown as JSONRPCMessage);
    } else if (Array.isArray(parsed) && !this.#taker.mayBatch()) {
      this.#taker.refuseBatch();
    } else if (Array.isArray(parsed) && parsed.every(isJsonObject)) {
      parsed.forEach((message) => this.#taker.take(message as unknown as JSONRPCMessage));
    } else if (text.trim() !== '') {
      this.#taker.stray(text);
    }
  }

  #fail(error: AppError): void {
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#taker.fail(error);
  }
}

async function decode(bytes: Buffer, slices: Slices): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  for (let at = 0; at < bytes.length; at += stepBytes) {
    text += decoder.write(bytes.subarray(at, at + stepBytes));
    await slices.pauseIfUsedUp();
  }
  return text + decoder.end();
}

/**
 * Counts what is begun in one turn of the event loop. Where the work itself follows later, as promises, no clock can tell how much of it
 * there is already; a number can.
 */
export class TurnCount {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more; false when this turn has had enough of them. */
  take(): boolean {
    if (this.#count === 0) {
      setImmediate(() => (this.#count = 0));
    }
    this.#count += 1;
    return this.#count <= this.#most;
  }

  /** Resolves in the next turn, after the count began anew. */
  next(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}
