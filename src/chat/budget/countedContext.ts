import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { unheardBy } from '../conversation/audience.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { toModelMessages } from '../conversation/history.ts';
import type { ModelMessage, ModelProvider, ModelRequest } from '../models/modelProvider.ts';
import type { RequestParts } from './contextUse.ts';

/** Nobody is asked while things still change. */
const quietMs = 1_500;
/** Between two counts of one conversation. */
const minIntervalMs = 10_000;
/** Of one conversation, as long as the window lasts. */
const maxCounts = 100;
const maxCountMs = 10_000;
/** Conversations of which the last request is known. */
const maxKnown = 20;

/** A conversation in which the person has sent something in this window. */
interface Spoken {
  /** The last request that was answered, and by whom. */
  readonly sent: ModelRequest;
  readonly by: ModelProvider['kind'];
  /** How often, and when last, its provider was asked. */
  counts: number;
  countedAt: number | undefined;
  /** Each request is counted once; the tokens are undefined while they are asked for, and where no answer came. */
  counted: { readonly turns: Conversation['turns']; readonly tokens: number | undefined } | undefined;
  waiting: Disposable | undefined;
}

export interface CountWish {
  readonly conversation: Conversation;
  readonly provider: ModelProvider;
  readonly model: string;
  /** What would go along with the next message: a count that was made of something else is none of it. */
  readonly offer: Pick<RequestParts, 'system' | 'tools'>;
  /** Whether anybody looks. */
  readonly isSeen: () => boolean;
}

/**
 * What the provider counts for the next request of a conversation. It gets nothing that it has not got already: its own last
 * request, which the person caused in this window, and its own answer to that. What servers changed since is not in it.
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

  /** A request of this conversation was answered to its end. */
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

  /** Undefined until it is known: it is asked for then, if it may be, and `onDidChange` tells. */
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
      // What is written just now changes again at once.
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
      // an estimate has to do until something is sent again
    }
  }
}

/** Whoever would answer now is who had the last request. */
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

/** Undefined where more has come since than the answer: nobody has heard that yet. */
function withAnswer(sent: ModelRequest, turns: Conversation['turns']): readonly ModelMessage[] | undefined {
  const messages = toModelMessages(turns);
  const answer = messages.at(-1);
  const isAnswer = answer?.role === 'assistant' && answer.content.every(({ type }) => type !== 'toolUse');
  // A request ends with what the person says, which nobody knows yet.
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

/** Nearly always the very same: what is large is seldom written out. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** Where the setting is no address, nobody is asked. */
function tryDestination(provider: ModelProvider, model: string): string | undefined {
  try {
    return provider.destination(model);
  } catch {
    return undefined;
  }
}
