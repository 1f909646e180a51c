import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { OfflineAnswers, RecordedResult } from '../contract/bridgeFiles.ts';
import { initializeParams } from '../contract/handshake.ts';
import { maxBatchItems, metaKey, modernRevision } from '../contract/protocolNames.ts';
import { HeldRequests, type HoldTimings, type HostLine } from './heldRequests.ts';
import { filterOf, type HostState } from './hostState.ts';
import {
  cancelledId,
  code,
  errorText,
  invalidText,
  isModern,
  metaOf,
  notificationText,
  type RequestId,
  resultText,
  type RpcRequest,
  toRequest,
} from './messages.ts';
import { windowIsReloading } from './sentences.ts';

export interface OfflineServiceOptions {
  readonly offline: Offline;
  readonly conversation: HostState;
  readonly timings: HoldTimings;
  readonly toHost: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Called when held requests were answered. */
  readonly onAnswered: () => void;
}

/** Serves the host while there is no window: holds what may wait for one, and answers the rest. */
export class OfflineService {
  readonly #options: OfflineServiceOptions;
  readonly #held: HeldRequests;
  #reason = windowIsReloading;
  /** Whether the host heard something from here that a window may answer differently. */
  #mayBeStale = false;

  constructor(options: OfflineServiceOptions) {
    this.#options = options;
    this.#held = new HeldRequests(options.timings, (line) => this.#answerLine(line));
  }

  /** The ids of requests that no window has been sent. */
  heldIds(): ReadonlySet<RequestId> {
    return this.#held.ids();
  }

  fromHost(line: HostLine): void {
    const accepted = line.items.filter((item) => !line.refused.has(item));
    for (const cancelled of accepted.map(cancelledId)) {
      if (cancelled !== undefined) {
        this.#held.cancel(cancelled);
      }
    }
    const requests = accepted.map(toRequest).filter((request) => request !== undefined);
    if (requests.length > 0 || line.refused.size > 0) {
      this.#held.add(
        line,
        requests.every((request) => this.#isKnown(request)),
      );
    }
  }

  /** Answers the handshake before a window is chosen. */
  answerHandshake(request: RpcRequest): void {
    this.#options.toHost(this.#answer(request, this.#reason.trim()));
  }

  noWindow(reason: string): void {
    this.explain(reason);
    this.#held.noWindow();
  }

  /** Says why there is no window, each reason once. */
  explain(reason: string): void {
    if (reason !== this.#reason) {
      this.#reason = reason;
      this.#options.complain(reason);
    }
  }

  /** Called when a window takes over; returns what it has to be sent, in order. */
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

  /** Called when the window is lost: what it was asked and did not answer is answered here. */
  windowLost(reason: string): void {
    const { offline, conversation, toHost, complain } = this.#options;
    this.#held.windowLost();
    this.#mayBeStale = true;
    const held = this.#held.ids();
    const lost = conversation.inFlight.filter(({ id }) => !held.has(id));
    complain(`${reason} Requests under way: ${lost.length}.\n`);
    for (const request of lost) {
      toHost(offline.knows(request) ? this.#answer(request, reason) : this.#noted(errorText(request.id, code.internalError, reason)));
    }
  }

  /** Ends all waiting. */
  close(): void {
    this.#held.close();
  }

  #isKnown(request: RpcRequest): boolean {
    return request.method === 'subscriptions/listen' || this.#options.offline.knows(request);
  }

  #answerLine({ items, isBatch, refused }: HostLine): void {
    const { toHost, onAnswered } = this.#options;
    const answers = items.flatMap((item) => {
      const request = toRequest(item);
      const refusal = refused.get(item);
      if (refusal !== undefined || request === undefined) {
        return refusal ?? [];
      }
      if (request.method === 'subscriptions/listen') {
        this.#acknowledge(request);
        return [];
      }
      return this.#answer(request, this.#reason.trim());
    });
    this.#mayBeStale = true;
    if (!isBatch) {
      answers.forEach(toHost);
    } else if (answers.length > 0) {
      toHost(`[${answers.join(',')}]`);
    }
    onAnswered();
  }

  /** Acknowledges a listener, even if there is nobody yet who could tell it something. */
  #acknowledge(listen: RpcRequest): void {
    const { conversation, toHost } = this.#options;
    conversation.acknowledge(listen.id);
    const params = { notifications: filterOf(listen), _meta: { [metaKey.subscriptionId]: listen.id } };
    toHost(notificationText('notifications/subscriptions/acknowledged', params));
  }

  #answer(request: RpcRequest, reason: string): string {
    const { offline, conversation } = this.#options;
    const isSecond = request.method === 'initialize' && conversation.handshake !== undefined;
    return this.#noted(isSecond ? invalidText({ id: request.id }, 'the session is already initialized') : offline.answer(request, reason));
  }

  #noted(answer: string): string {
    this.#options.conversation.noteAnswer(JSON.parse(answer) as JsonObject);
    return answer;
  }
}

/** The newest revision with batches. Revisions are dates, so they compare as text. */
const lastWithBatches = '2025-03-26';

/** Answers in place of a window: what is the same in every window, and for all else why there is no window. */
export class Offline {
  readonly #answers: OfflineAnswers;
  /** The protocol revision that the host's `initialize` was, or would be, answered with. */
  #revision: string | undefined;

  constructor(answers: OfflineAnswers) {
    this.#answers = answers;
  }

  /**
   * Takes note of the host's handshake: from here on its revision is known, if the handshake is one. Without recorded answers it is
   * the one that the host asked for, which a window serves if it knows it.
   */
  noteHandshake({ params }: RpcRequest): void {
    const { protocolVersion } = params;
    if (typeof protocolVersion === 'string' && problemWithHandshake(params) === undefined) {
      this.#revision = this.#negotiate(protocolVersion) ?? protocolVersion;
    }
  }

  /** Says why a window would refuse a whole batch, in its words; `undefined` if it would not. */
  problemWithBatch(items: readonly JsonObject[]): string | undefined {
    if (items.length === 0 || items.length > maxBatchItems) {
      return items.length === 0 ? 'a batch is not empty' : 'too many messages in a batch';
    }
    if (this.#revision === undefined || this.#revision > lastWithBatches) {
      return 'batches are not part of this protocol revision';
    }
    return items.some((item) => toRequest(item)?.method === 'initialize') ? 'initialize is never part of a batch' : undefined;
  }

  /** Whether there is a real answer to this request, and not only an excuse. */
  knows(request: RpcRequest): boolean {
    return request.method === 'ping' || request.method === 'initialize' || this.#recorded(request) !== undefined;
  }

  /** Whether this `initialize` can be answered as a window would. */
  canOpen({ params }: RpcRequest): boolean {
    const revision = this.#negotiate(params.protocolVersion);
    const isKnown = revision !== undefined && this.#answers.revisions[revision]?.['initialize'] !== undefined;
    return isKnown && problemWithHandshake(params) === undefined;
  }

  answer(request: RpcRequest, whyOffline: string): string {
    const { id, method, params } = request;
    const version = metaOf(params)[metaKey.protocolVersion];
    if (version !== undefined && version !== modernRevision) {
      return errorText(id, code.unsupportedVersion, 'Unsupported protocol version', { supported: this.#revisions(), requested: version });
    }
    if (method === 'initialize') {
      return this.#initialize(request);
    }
    if (method === 'ping') {
      return resultText(id, {});
    }
    if (!isModern(request) && this.#revision === undefined) {
      return errorText(id, code.invalidRequest, 'Invalid request: initialize comes first');
    }
    const recorded = this.#recorded(request);
    if (recorded === undefined) {
      return unavailableAnswer(request, whyOffline);
    }
    return params.cursor === undefined ? resultText(id, this.#result(recorded)) : errorText(id, code.invalidParams, 'Invalid cursor');
  }

  #initialize({ id, params }: RpcRequest): string {
    const revision = this.#negotiate(params.protocolVersion);
    const recorded = revision === undefined ? undefined : this.#answers.revisions[revision]?.['initialize'];
    if (recorded === undefined) {
      const supported = this.#revisions().filter((known) => known !== modernRevision);
      return errorText(id, code.invalidParams, 'protocolVersion must be a string', { supported });
    }
    const problem = problemWithHandshake(params);
    if (problem !== undefined) {
      return errorText(id, code.invalidParams, problem.message, problem.data);
    }
    this.#revision = revision;
    return resultText(id, this.#result(recorded));
  }

  /** The revision to answer with: for an unknown one, the newest that opens with `initialize`. */
  #negotiate(requested: unknown): string | undefined {
    if (typeof requested !== 'string') {
      return undefined;
    }
    const legacy = this.#revisions().filter((known) => known !== modernRevision);
    return legacy.includes(requested) ? requested : legacy.toSorted().at(-1);
  }

  #recorded(request: RpcRequest): RecordedResult | undefined {
    const revision = isModern(request) ? modernRevision : this.#revision;
    const results = revision === undefined ? undefined : this.#answers.revisions[revision];
    return results !== undefined && Object.hasOwn(results, request.method) ? results[request.method] : undefined;
  }

  #result({ rest, list }: RecordedResult): JsonObject {
    return list === undefined ? rest : { ...rest, [list.key]: list.entries.map((place) => this.#answers.entries[place] ?? {}) };
  }

  #revisions(): readonly string[] {
    return Object.keys(this.#answers.revisions);
  }
}

interface HandshakeProblem {
  readonly message: string;
  readonly data?: { readonly parameter: string; readonly reason: string };
}

/** Says what is wrong with the parameters of `initialize`, in the words of a window; with such parameters no session begins. */
function problemWithHandshake(params: JsonObject): HandshakeProblem | undefined {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') {
    return { message: 'protocolVersion must be a string', data: { parameter: 'protocolVersion', reason: 'expected a string' } };
  }
  if (!isJsonObject(capabilities)) {
    return { message: 'capabilities must be an object', data: { parameter: 'capabilities', reason: 'expected an object' } };
  }
  if (!isJsonObject(clientInfo) || typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string') {
    const data = { parameter: 'clientInfo', reason: 'expected name and version' };
    return { message: 'clientInfo must have a name and a version', data };
  }
  return initializeParams.safeParse(params).success ? undefined : { message: 'Invalid parameters of initialize' };
}

/**
 * The answer that there is no window. For a tool it is a result, because a model reads what a tool answers, not what a protocol
 * error says.
 */
function unavailableAnswer(request: RpcRequest, sentence: string): string {
  if (request.method !== 'tools/call') {
    return errorText(request.id, code.internalError, sentence);
  }
  return resultText(request.id, {
    ...(isModern(request) && { resultType: 'complete' }),
    content: [{ type: 'text', text: sentence }],
    isError: true,
  });
}
