import { neverAborted } from '../../base/abort.ts';

export interface OpenCall {
  /** What runs. */
  readonly tool: string;
  /** `answered` when the server gave a result; what it asks beside that may still matter. */
  end(how: 'answered' | 'givenUp'): void;
}

/**
 * The calls of one server that are under way. Most transports do not say for which call a server asks something; but when
 * all that ran at the time are over, and one of them was given up, it may be that one's, and nobody is left who wants it.
 */
export class OpenCalls {
  readonly #open = new Set<OpenCall>();
  /** Told when a call is over. */
  readonly #waiting = new Set<(call: OpenCall, how: 'answered' | 'givenUp') => void>();

  begin(tool: string): OpenCall {
    const call: OpenCall = {
      tool,
      end: (how) => {
        if (this.#open.delete(call)) {
          [...this.#waiting].forEach((reconsider) => reconsider(call, how));
        }
      },
    };
    this.#open.add(call);
    return call;
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
      isAnyGivenUp ||= how === 'givenUp' && calls.includes(ended);
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
