import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { unheardBy } from '../audience.ts';
import type { Conversation } from '../conversation.ts';
import type { ModelProvider, ModelRequest } from '../modelProvider.ts';

/** Nobody is asked while things still change. */
const quietMs = 1_500;
const maxCountMs = 10_000;
/** Conversations of which the last count is known. */
const maxKnown = 20;

interface Counted {
  readonly key: string;
  readonly turns: Conversation['turns'];
  /** Undefined while it is asked for, and where the provider gave no answer. */
  readonly tokens: number | undefined;
}

/** What the provider counts for the next request of a conversation; nothing is sent that it has not heard already. */
export class CountedContext implements Disposable {
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  readonly #known = new Map<string, Counted>();
  readonly #waiting = new Map<string, Disposable>();
  readonly #ending = new AbortController();
  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined until it is known: it is asked for then, and `onDidChange` tells. */
  tokens(conversation: Conversation, provider: ModelProvider, request: () => ModelRequest, key: string): number | undefined {
    const { id, turns } = conversation;
    const known = this.#known.get(id);
    if (known?.turns === turns && known.key === key) {
      return known.tokens;
    }
    if (provider.isAi && provider.countTokens !== undefined && turns.length > 0) {
      this.#waiting.get(id)?.dispose();
      const waiting = this.#clock.schedule(quietMs, () => {
        this.#waiting.delete(id);
        // What is written just now changes again at once.
        if (conversation.turns === turns) {
          void this.#count(conversation, provider, request(), key);
        }
      });
      this.#waiting.set(id, waiting);
    }
    return undefined;
  }

  dispose(): void {
    this.#ending.abort();
    this.#waiting.forEach((each) => each.dispose());
    this.#changed.dispose();
  }

  async #count(conversation: Conversation, provider: ModelProvider, request: ModelRequest, key: string): Promise<void> {
    const { id, turns } = conversation;
    if (request.destination === undefined || unheardBy(turns, request.destination) !== undefined) {
      return;
    }
    this.#remember(id, { key, turns, tokens: undefined });
    try {
      const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(maxCountMs)]);
      const tokens = await provider.countTokens?.(request, signal);
      if (tokens !== undefined && Number.isFinite(tokens) && this.#known.get(id)?.turns === turns) {
        this.#remember(id, { key, turns, tokens });
        this.#changed.fire();
      }
    } catch {
      // an estimate has to do until something changes
    }
  }

  #remember(id: string, counted: Counted): void {
    this.#known.delete(id);
    this.#known.set(id, counted);
    [...this.#known.keys()].slice(0, -maxKnown).forEach((oldest) => this.#known.delete(oldest));
  }
}
