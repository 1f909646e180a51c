import type { JsonObject } from '../base/json.ts';
import type { OfflineAnswers, RecordedResult } from '../contract/offlineAnswers.ts';
import { metaKey, modernRevision } from '../contract/protocolNames.ts';
import { code, errorText, isModern, metaOf, resultText, type RpcRequest } from './messages.ts';

/** Answers in the place of a window: what is the same in every window, and to all else why there is none. */
export class Offline {
  readonly #answers: OfflineAnswers;
  /** What the host's `initialize` was, or would be, answered with. */
  #revision: string | undefined;

  constructor(answers: OfflineAnswers) {
    this.#answers = answers;
  }

  /** The host's handshake went by; from here on its revision is known. */
  noteHandshake({ params }: RpcRequest): void {
    this.#revision = this.#negotiate(params.protocolVersion);
  }

  /** Whether it has an answer that is not an excuse. */
  knows(request: RpcRequest): boolean {
    return request.method === 'ping' || request.method === 'initialize' || this.#recorded(request) !== undefined;
  }

  /** Whether it can answer this `initialize` as a window would. */
  canOpen({ params }: RpcRequest): boolean {
    const revision = this.#negotiate(params.protocolVersion);
    return revision !== undefined && this.#answers.revisions[revision]?.['initialize'] !== undefined;
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
    this.#revision = revision;
    return resultText(id, this.#result(recorded));
  }

  /** Unknown revisions are answered with the newest that opens with `initialize`. */
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

/** A model reads what a tool answers, not what a protocol error says. */
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
