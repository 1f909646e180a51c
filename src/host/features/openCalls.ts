import { neverAborted } from '../../base/abort.ts';
import type { Ask } from '../../consent/consentGate.ts';

export interface OpenCall {
  /** What runs, or is read. */
  readonly tool: string;
  /** `answered` when the server gave a result; what it asks beside that may still matter. */
  end(how: 'answered' | 'givenUp'): void;
}

interface PlacedCall extends OpenCall {
  /** Where a question that this call causes is shown; none for a call without a place of its own. */
  readonly ask: Ask | undefined;
}

/**
 * The calls of one server that are under way, and what is being read of it. Most transports do not say for which call a server asks something; but when
 * all that ran at the time are over, and one of them was given up, it may be that one's, and nobody is left who wants it.
 */
export class OpenCalls {
  readonly #open = new Set<PlacedCall>();
  /** Told when a call is over. */
  readonly #waiting = new Set<(call: OpenCall, how: 'answered' | 'givenUp') => void>();

  /** `ask` for a call of the chat: its card takes the questions that it causes. */
  begin(tool: string, ask?: Ask): OpenCall {
    const call: PlacedCall = {
      tool,
      ask,
      end: (how) => {
        if (this.#open.delete(call)) {
          [...this.#waiting].forEach((reconsider) => reconsider(call, how));
        }
      },
    };
    this.#open.add(call);
    return call;
  }

  /**
   * Where a question of the server is shown: in the newest call that runs, when every call that runs has a place of its own, and
   * else in `usual`: whose call it is about is not known then.
   */
  placeOr(usual: Ask): Ask {
    return (question, signal) => {
      const places = [...this.#open].map(({ ask }) => ask);
      const place = places.includes(undefined) ? undefined : places.at(-1);
      return (place ?? usual)(question, signal);
    };
  }

  /** Runs what a server wants while some of the present calls, whose tools it is told, are open; without any it runs on its own. */
  async during<T>(work: (signal: AbortSignal, tools: readonly string[]) => Promise<T>): Promise<T> {
    const calls = [...this.#open];
    const tools = [...new Set(calls.map(({ tool }) => tool))];
    if (calls.length === 0) {
      return work(neverAborted(), tools);
    }
    const unwanted = new AbortController();
    let isAnyGivenUp = false;
    const reconsider = (ended: OpenCall, how: 'answered' | 'givenUp'): void => {
      isAnyGivenUp ||= how === 'givenUp' && calls.some((call) => call === ended);
      if (isAnyGivenUp && !calls.some((call) => this.#open.has(call))) {
        unwanted.abort();
      }
    };
    this.#waiting.add(reconsider);
    try {
      return await work(unwanted.signal, tools);
    } finally {
      this.#waiting.delete(reconsider);
    }
  }
}
