import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { unheardBy } from '../conversation/audience.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { toModelMessages } from '../conversation/history.ts';
import type { ModelMessage, ModelProvider, ModelRequest } from '../models/modelProvider.ts';
import type { RequestParts } from './contextUse.ts';

/** How long, in ms, nothing must change before the provider is asked to count. */
const quietMs = 1_500;
/** The least time, in ms, between two counts of one conversation. */
const minIntervalMs = 10_000;
/** The most counts for one conversation while the window is open. */
const maxCounts = 100;
/** How long, in ms, one count by a provider may take. */
const maxCountMs = 10_000;
/** The most conversations whose last request is remembered. */
const maxKnown = 20;

/** A conversation in which the person has sent something in this window, with what is known of its last request. */
interface Spoken {
  /** The last request that was answered. */
  readonly sent: ModelRequest;
  readonly by: ModelProvider['kind'];
  /** How often the provider was asked to count; `countedAt` is when it was last asked. */
  counts: number;
  countedAt: number | undefined;
  /** The count of this request, which is asked for once. Its tokens are undefined until the provider has answered, or when it did not. */
  counted: { readonly turns: Conversation['turns']; readonly tokens: number | undefined } | undefined;
  waiting: Disposable | undefined;
}

export interface CountWish {
  readonly conversation: Conversation;
  readonly provider: ModelProvider;
  readonly model: string;
  /** The system prompt and tools that would go with the next message: a count that was made with others does not hold. */
  readonly offer: Pick<RequestParts, 'system' | 'tools'>;
  /** Whether anybody sees this chat. */
  readonly isSeen: () => boolean;
}

/**
 * Asks the provider how many tokens the next request of a conversation has. To count, the provider is sent nothing that it has not had
 * already: its own last request, which the person caused in this window, and its own answer. What servers changed since is not sent.
 */
export class CountedContext implements Disposable {
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  readonly #spoken = new Map<string, Spoken>();
  readonly #ending = new AbortController();
  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers a request of this conversation that was answered to its end. */
  noteSent(id: string, { kind }: ModelProvider, sent: ModelRequest): void {
    const before = this.#spoken.get(id);
    before?.waiting?.dispose();
    this.#spoken.delete(id);
    const { counts = 0, countedAt } = before ?? {};
    this.#spoken.set(id, { sent, by: kind, counts, countedAt, counted: undefined, waiting: undefined });
    for (const oldest of [...this.#spoken.keys()].slice(0, -maxKnown)) {
      this.#spoken.get(oldest)?.waiting?.dispose();
      this.#spoken.delete(oldest);
    }
  }

  /**
   * The count for the next request; undefined until it is known. It is asked for if that is allowed, and `onDidChange` tells when it is
   * there.
   */
  tokens(wish: CountWish): number | undefined {
    const { conversation, offer, isSeen } = wish;
    const spoken = this.#spoken.get(conversation.id);
    if (spoken === undefined || !isSameListener(spoken, wish) || !isSameOffer(spoken.sent, offer)) {
      return undefined;
    }
    if (spoken.counted !== undefined) {
      return spoken.counted.turns === conversation.turns ? spoken.counted.tokens : undefined;
    }
    if (spoken.counts < maxCounts && isSeen()) {
      this.#askSoon(spoken, wish);
    }
    return undefined;
  }

  dispose(): void {
    this.#ending.abort();
    this.#spoken.forEach(({ waiting }) => waiting?.dispose());
    this.#changed.dispose();
  }

  #askSoon(spoken: Spoken, wish: CountWish): void {
    const { conversation, isSeen } = wish;
    const { turns } = conversation;
    const sinceLast = spoken.countedAt === undefined ? minIntervalMs : this.#clock.now() - spoken.countedAt;
    spoken.waiting?.dispose();
    spoken.waiting = this.#clock.schedule(Math.max(quietMs, minIntervalMs - sinceLast), () => {
      spoken.waiting = undefined;
      // A conversation that is being written changes again at once, so it is not counted.
      if (conversation.turns === turns && isSeen() && isSameListener(spoken, wish)) {
        void this.#count(spoken, wish);
      }
    });
  }

  async #count(spoken: Spoken, { conversation: { turns }, provider }: CountWish): Promise<void> {
    const { model, system, tools, destination } = spoken.sent;
    const messages = withAnswer(spoken.sent, turns);
    if (messages === undefined || destination === undefined || unheardBy(turns, destination) !== undefined) {
      return;
    }
    spoken.counts += 1;
    spoken.countedAt = this.#clock.now();
    spoken.counted = { turns, tokens: undefined };
    try {
      const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(maxCountMs)]);
      const tokens = await provider.countTokens?.({ model, system, tools, destination, messages, maxTokens: 1 }, signal);
      if (tokens !== undefined && Number.isFinite(tokens)) {
        spoken.counted = { turns, tokens };
        this.#changed.fire();
      }
    } catch {
      // the estimate is used until something is sent again
    }
  }
}

/** Whether the model that would answer now is the one that had the last request. */
function isSameListener({ sent, by }: Spoken, { provider, model }: CountWish): boolean {
  const canCount = provider.isAi && provider.countTokens !== undefined && provider.kind === by;
  return canCount && sent.model === model && sent.destination !== undefined && sent.destination === tryDestination(provider, model);
}

function isSameOffer(sent: ModelRequest, { system, tools }: CountWish['offer']): boolean {
  return (
    sent.system === system &&
    sent.tools.length === tools.length &&
    sent.tools.every(({ name, description, inputSchema }, index) => {
      const its = tools[index];
      return its?.name === name && its.description === description && isSame(its.inputSchema, inputSchema);
    })
  );
}

/**
 * The messages of the next request: the last request, its answer and a placeholder. Undefined when more was added since, which the
 * provider has not had.
 */
function withAnswer(sent: ModelRequest, turns: Conversation['turns']): readonly ModelMessage[] | undefined {
  const messages = toModelMessages(turns);
  const answer = messages.at(-1);
  const isAnswer = answer?.role === 'assistant' && answer.content.every(({ type }) => type !== 'toolUse');
  // A request ends with a message of the person, which is not written yet; `?` stands for it.
  return isAnswer && isSameTalk(messages.slice(0, -1), sent.messages)
    ? [...messages, { role: 'user', content: [{ type: 'text', text: '?' }] }]
    : undefined;
}

function isSameTalk(one: readonly ModelMessage[], other: readonly ModelMessage[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ role, content }, index) => {
      const its = other[index];
      return its?.role === role && its.content.length === content.length && content.every((block, at) => isSame(block, its.content[at]));
    })
  );
}

/** Whether two values are equal. They are nearly always the same object, so large ones are seldom written as JSON. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** The provider's address; undefined when the setting is not a valid address, and then nobody is asked. */
function tryDestination(provider: ModelProvider, model: string): string | undefined {
  try {
    return provider.destination(model);
  } catch {
    return undefined;
  }
}
