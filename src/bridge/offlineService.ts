import type { JsonObject } from '../base/json.ts';
import { HeldRequests, type HoldTimings, type HostLine } from './heldRequests.ts';
import { filterOf, type HostState } from './hostState.ts';
import { metaKey } from '../contract/protocolNames.ts';
import { cancelledId, code, errorText, notificationText, toRequest, type RequestId, type RpcRequest } from './messages.ts';
import type { Offline } from './offline.ts';
import { windowIsReloading } from './sentences.ts';

export interface OfflineServiceOptions {
  readonly offline: Offline;
  readonly conversation: HostState;
  readonly timings: HoldTimings;
  readonly toHost: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Held requests were answered. */
  readonly onAnswered: () => void;
}

/** Serves the host while there is no window: holds what may wait for one, and answers the rest. */
export class OfflineService {
  readonly #options: OfflineServiceOptions;
  readonly #held: HeldRequests;
  #reason = windowIsReloading;
  /** The host heard from here what a window may say otherwise. */
  #mayBeStale = false;

  constructor(options: OfflineServiceOptions) {
    this.#options = options;
    this.#held = new HeldRequests(options.timings, (line) => this.#answerLine(line));
  }

  /** Of requests that no window has been sent. */
  heldIds(): ReadonlySet<RequestId> {
    return this.#held.ids();
  }

  fromHost(line: HostLine): void {
    const [message] = line.items;
    const cancelled = message === undefined ? undefined : cancelledId(message);
    if (cancelled !== undefined) {
      this.#held.cancel(cancelled);
    } else if (line.items.some((item) => toRequest(item) !== undefined)) {
      const isKnown = line.items.every((item) => this.#isKnown(toRequest(item)));
      this.#held.add(line, isKnown);
    } else if (line.items.length === 0) {
      this.#options.toHost(errorText(null, code.invalidRequest, 'Invalid request: a message is an object'));
    }
  }

  /** Not in the place of a window, but before one is chosen. */
  answerHandshake(request: RpcRequest): void {
    const answer = this.#options.offline.answer(request, this.#reason.trim());
    this.#noteAnswer(answer);
    this.#options.toHost(answer);
  }

  noWindow(reason: string): void {
    this.explain(reason);
    this.#held.noWindow();
  }

  /** Each reason once. */
  explain(reason: string): void {
    if (reason !== this.#reason) {
      this.#reason = reason;
      this.#options.complain(reason);
    }
  }

  /** A window takes over: what it has to be sent, in order. */
  handOver(): readonly string[] {
    this.#reason = windowIsReloading;
    return this.#held.release().map(({ text }) => text);
  }

  /** Tells the host to look again at what it heard from here, now that there is a window to ask. */
  notifyOfChanges(): void {
    if (this.#mayBeStale) {
      this.#mayBeStale = false;
      this.#options.conversation.changeNotices().forEach((notice) => this.#options.toHost(notice));
    }
  }

  /** What the window was asked and did not answer is answered here. */
  windowLost(reason: string): void {
    const { offline, conversation, toHost, complain } = this.#options;
    this.#held.windowLost();
    this.#mayBeStale = true;
    const held = this.#held.ids();
    const lost = conversation.inFlight.filter(({ id }) => !held.has(id));
    complain(`${reason} Requests under way: ${lost.length}.\n`);
    for (const request of lost) {
      const answer = offline.knows(request) ? offline.answer(request, reason) : errorText(request.id, code.internalError, reason);
      this.#noteAnswer(answer);
      toHost(answer);
    }
  }

  /** Nothing waits any longer. */
  close(): void {
    this.#held.close();
  }

  #isKnown(request: RpcRequest | undefined): boolean {
    return request === undefined || request.method === 'subscriptions/listen' || this.#options.offline.knows(request);
  }

  #answerLine({ items, isBatch }: HostLine): void {
    const { offline, toHost, onAnswered } = this.#options;
    const requests = items.map(toRequest).filter((request) => request !== undefined);
    const answers = requests.flatMap((request) => {
      if (request.method === 'subscriptions/listen') {
        this.#acknowledge(request);
        return [];
      }
      return [offline.answer(request, this.#reason.trim())];
    });
    this.#mayBeStale = true;
    answers.forEach((answer) => this.#noteAnswer(answer));
    if (!isBatch) {
      answers.forEach(toHost);
    } else if (answers.length > 0) {
      toHost(`[${answers.join(',')}]`);
    }
    onAnswered();
  }

  /** A listener is heard even if there is nobody to speak yet. */
  #acknowledge(listen: RpcRequest): void {
    const { conversation, toHost } = this.#options;
    conversation.acknowledge(listen.id);
    const params = { notifications: filterOf(listen), _meta: { [metaKey.subscriptionId]: listen.id } };
    toHost(notificationText('notifications/subscriptions/acknowledged', params));
  }

  #noteAnswer(text: string): void {
    this.#options.conversation.noteAnswer(JSON.parse(text) as JsonObject);
  }
}
