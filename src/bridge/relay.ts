import { messageOf } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { filterOf, HostState } from './hostState.ts';
import { answeredId, cancelledId, code, errorText, metaKey, notificationText, parseMessages, toRequest } from './messages.ts';
import type { RequestId, RpcRequest } from './messages.ts';
import type { Offline } from './offline.ts';
import { Replay } from './replay.ts';
import { describeClose, windowIsReloading } from './sentences.ts';
import { WaitingRoom, type Waiting } from './waitingRoom.ts';
import type { WindowLink } from './windowLink.ts';
import { WindowRequests } from './windowRequests.ts';
import type { Sought, WindowSeeker } from './windowSeeker.ts';

export interface BridgeTimings {
  /** A connection attempt, the handshake included. */
  readonly connect: number;
  /** How long lists wait for the first connection before they are answered without a window. */
  readonly listHold: number;
  /** How long calls wait for a window that went away to come back. */
  readonly reloadHold: number;
  readonly firstRetry: number;
  readonly lastRetry: number;
  /** How long answers on their way are waited for after the host has gone. */
  readonly farewell: number;
}

export const defaultTimings: BridgeTimings = {
  connect: 10_000,
  listHold: 1_500,
  reloadHold: 8_000,
  firstRetry: 200,
  lastRetry: 3_000,
  farewell: 1_500,
};

export interface RelayOptions {
  readonly offline: Offline;
  readonly seeker: Pick<WindowSeeker, 'seek' | 'lost'>;
  /** Takes a message for the host; false: it reads too slowly, and `hostHasRoom` tells when that is over. */
  readonly toHost: (text: string) => boolean;
  /** Whether more of the host's messages are wanted. */
  readonly readHost: (isWanted: boolean) => void;
  readonly complain: (text: string) => void;
  readonly timings: BridgeTimings;
}

/** Passes messages between the host and whatever window there is, and stands in for the window while there is none. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #state = new HostState();
  readonly #windowRequests = new WindowRequests();
  readonly #acknowledged = new Set<RequestId>();
  readonly #waiting: WaitingRoom;
  /** Set once the window is where the host believes it to be. */
  #link: WindowLink | undefined;
  /** From the first moment of a connection. */
  #connected: WindowLink | undefined;
  #replay: Replay | undefined;
  #whyOffline = windowIsReloading;
  /** The host heard from us what a window may say otherwise. */
  #owesNotices = false;
  #isOver = false;
  #markStopped: (() => void) | undefined;
  readonly #stopped = new Promise<undefined>((resolve) => {
    this.#markStopped = () => resolve(undefined);
  });
  #wake: (() => void) | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#waiting = new WaitingRoom(options.timings, (waiting) => this.#answerOffline(waiting));
  }

  /** Looks for a window, serves while there is one, and looks again, until `end`. */
  async run(): Promise<void> {
    const { seeker, timings } = this.#options;
    let delay = timings.firstRetry;
    while (!this.#isOver) {
      const seeking = seeker.seek();
      const sought = await Promise.race([seeking, this.#stopped]);
      if (sought === undefined) {
        closeWhenFound(seeking);
      } else if (sought.kind === 'found') {
        const since = performance.now();
        await this.#serve(sought.link);
        delay = performance.now() - since > timings.lastRetry ? timings.firstRetry : delay;
      } else {
        this.#explain(sought.sentence);
        this.#waiting.noWindow();
      }
      await this.#sleep(delay);
      delay = Math.min(delay * 2, timings.lastRetry);
    }
  }

  /** The host has no more to say: what is on its way to it still gets there, if it comes soon. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#onIdle?.(), this.#options.timings.farewell);
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#tellIfIdle();
    });
    clearTimeout(timer);
    this.#waiting.close();
    this.stop();
  }

  /** At once. */
  stop(): void {
    this.#isOver = true;
    this.#markStopped?.();
    this.#connected?.close();
    this.#wake?.();
    this.#onIdle?.();
  }

  hostHasRoom(): void {
    this.#connected?.resume();
  }

  fromHost(text: string): void {
    const parsed = parseMessages(text);
    if (parsed === undefined) {
      this.#options.complain('A line that is not JSON was skipped.\n');
      return;
    }
    for (const message of parsed.items) {
      this.#state.fromHost(message, parsed.isBatch ? JSON.stringify(message) : text);
      const request = toRequest(message);
      if (request?.method === 'initialize') {
        this.#options.offline.noteHandshake(request);
      }
      // An id may be used again once its listener is over: the next one has its own acknowledgement.
      const renewed = request?.method === 'subscriptions/listen' ? request.id : cancelledId(message);
      if (renewed !== undefined) {
        this.#acknowledged.delete(renewed);
      }
    }
    const own = parsed.isBatch || parsed.items[0] === undefined ? text : this.#windowRequests.fromHost(parsed.items[0], text);
    if (own === undefined) {
      return;
    }
    if (this.#link !== undefined) {
      this.#toWindow(this.#link, own);
    } else {
      this.#keepForWindow({ text, ...parsed });
    }
  }

  #keepForWindow(waiting: Waiting): void {
    const [message] = waiting.items;
    const cancelled = message === undefined ? undefined : cancelledId(message);
    if (cancelled !== undefined) {
      this.#waiting.cancel(cancelled);
    } else if (waiting.items.some((item) => toRequest(item) !== undefined)) {
      const isKnown = waiting.items.every((item) => this.#isKnownOffline(toRequest(item)));
      this.#waiting.add(waiting, isKnown);
    } else if (waiting.items.length === 0) {
      this.#options.toHost(errorText(null, code.invalidRequest, 'Invalid request: a message is an object'));
    }
  }

  #isKnownOffline(request: RpcRequest | undefined): boolean {
    return request === undefined || request.method === 'subscriptions/listen' || this.#options.offline.knows(request);
  }

  #toWindow(link: WindowLink, text: string): void {
    if (!link.send(text)) {
      this.#options.readHost(false);
      link.onRoom(() => this.#options.readHost(true));
    }
  }

  /** Until the window is gone. */
  async #serve(link: WindowLink): Promise<void> {
    const replay = new Replay(link, this.#state, this.#acknowledged);
    this.#replay = replay;
    this.#connected = link;
    const closed = new Promise<number>((resolve) => {
      link.listen({ text: (text) => this.#fromWindow(text, link), closed: resolve });
    });
    try {
      const ready = replay.run(this.#waiting.ids(), this.#options.timings.connect).then(() => 'ready' as const);
      if ((await Promise.race([ready, closed])) === 'ready' && !this.#isOver) {
        this.#begin(link);
      }
    } catch (error) {
      this.#explain(`${messageOf(error)}\n`);
      link.close();
    }
    this.#onLost(await closed);
  }

  #begin(link: WindowLink): void {
    this.#link = link;
    this.#whyOffline = windowIsReloading;
    for (const { text } of this.#waiting.open()) {
      this.#toWindow(link, text);
    }
    if (this.#owesNotices) {
      this.#owesNotices = false;
      for (const notice of this.#state.changeNotices()) {
        this.#options.toHost(notice);
      }
    }
  }

  #onLost(closeCode: number): void {
    const wasServing = this.#link !== undefined;
    this.#link = undefined;
    this.#connected = undefined;
    this.#replay = undefined;
    this.#options.readHost(true);
    if (this.#isOver || !wasServing) {
      return;
    }
    this.#options.seeker.lost();
    this.#waiting.windowLost();
    this.#owesNotices = true;
    const pending = this.#waiting.ids();
    const sentence = describeClose(closeCode);
    const lost = this.#state.inFlight.filter(({ id }) => !pending.has(id));
    this.#options.complain(`${sentence} Requests under way: ${lost.length}.\n`);
    for (const request of lost) {
      const { offline } = this.#options;
      this.#answer(
        request,
        offline.knows(request) ? offline.answer(request, sentence) : errorText(request.id, code.internalError, sentence),
      );
    }
    for (const notice of this.#windowRequests.abandon()) {
      this.#options.toHost(notice);
    }
  }

  #fromWindow(text: string, link: WindowLink): void {
    const parsed = parseMessages(text);
    if (parsed === undefined) {
      this.#options.complain('A message of the window that is not JSON was skipped.\n');
      return;
    }
    const [first] = parsed.items;
    if (!parsed.isBatch && first !== undefined && (this.#replay?.takes(first) === true || this.#state.isFarewell(first))) {
      return;
    }
    for (const message of parsed.items) {
      this.#noteAnswer(message);
    }
    const own = parsed.isBatch || first === undefined ? text : this.#windowRequests.fromWindow(first, text);
    if (!this.#options.toHost(onOneLine(own))) {
      link.pause();
    }
    this.#tellIfIdle();
  }

  #noteAnswer(message: JsonObject): void {
    const id = answeredId(message);
    if (id !== undefined) {
      this.#state.answered(id, message.error === undefined);
    }
  }

  #answerOffline({ items, isBatch }: Waiting): void {
    const requests = items.map(toRequest).filter((request) => request !== undefined);
    const answers = requests.flatMap((request) => {
      if (request.method === 'subscriptions/listen') {
        this.#acknowledge(request);
        return [];
      }
      return [{ request, text: this.#options.offline.answer(request, this.#whyOffline.trim()) }];
    });
    this.#owesNotices = true;
    for (const { request, text } of answers) {
      if (isBatch) {
        this.#noteAnswer(JSON.parse(text) as JsonObject);
      } else {
        this.#answer(request, text);
      }
    }
    if (isBatch && answers.length > 0) {
      this.#options.toHost(`[${answers.map(({ text }) => text).join(',')}]`);
    }
    this.#tellIfIdle();
  }

  /** A listener is heard even if there is nobody to speak yet. */
  #acknowledge(listen: RpcRequest): void {
    this.#acknowledged.add(listen.id);
    const params = { notifications: filterOf(listen), _meta: { [metaKey.subscriptionId]: listen.id } };
    this.#options.toHost(notificationText('notifications/subscriptions/acknowledged', params));
  }

  #answer({ id }: RpcRequest, text: string): void {
    this.#noteAnswer(JSON.parse(text) as JsonObject);
    this.#state.answered(id, false);
    this.#options.toHost(text);
  }

  /** Each reason once. */
  #explain(sentence: string): void {
    if (sentence !== this.#whyOffline) {
      this.#whyOffline = sentence;
      this.#options.complain(sentence);
    }
  }

  #tellIfIdle(): void {
    if (this.#onIdle !== undefined && this.#state.inFlight.length === 0) {
      this.#onIdle();
    }
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isOver) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function closeWhenFound(seeking: Promise<Sought>): void {
  void seeking.then((sought) => {
    if (sought.kind === 'found') {
      sought.link.close();
    }
  });
}

/** JSON has line breaks only between its parts, where they mean nothing. */
function onOneLine(text: string): string {
  return /[\r\n]/.test(text) ? JSON.stringify(JSON.parse(text)) : text;
}
