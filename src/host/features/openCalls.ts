import { AsyncLocalStorage } from 'node:async_hooks';
import { neverAborted } from '../../base/abort.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { Question } from '../../contract/questions/questions.ts';

export interface OpenCall {
  /** The name of the tool that runs, or of what is read. */
  readonly tool: string;
  /** `answered` means that the server gave a result; a question that it asks beside that may still matter. */
  end(how: 'answered' | 'givenUp'): void;
}

/** On whose behalf a call is made, as far as the questions that it causes are concerned. */
export interface CausedBy {
  /** Shows the questions that this call causes; undefined for a call without a place of its own. */
  readonly ask?: Ask | undefined;
  readonly client?: CausingClient | undefined;
}

/** The outside client for which a call is made. */
export interface CausingClient {
  /** What it calls itself. */
  readonly name: string;
  /** Tells it from others of that name. */
  readonly id: string;
}

type PlacedCall = OpenCall & CausedBy;

/**
 * The calls and reads of one server that are under way. Most transports do not say for which call a server asks something.
 * But when all calls of that moment are over and one of them was given up, the question may have been that one's, so nobody
 * wants it any more.
 */
export class OpenCalls {
  readonly #open = new Set<PlacedCall>();
  /** Called when a call is over. */
  readonly #waiting = new Set<(call: OpenCall, how: 'answered' | 'givenUp') => void>();
  /** The calls that were under way when the server asked for what is being done now. Those that began since then did not cause it. */
  readonly #atRequest = new AsyncLocalStorage<readonly PlacedCall[]>();

  /** The questions that a call of the chat causes are shown on its card; those of an outside client are marked with its name. */
  begin(tool: string, by: CausedBy = {}): OpenCall {
    const call: PlacedCall = {
      tool,
      ...by,
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
   * Decides where a question of the server is shown: in the newest call when every running call has a place of its own,
   * otherwise in `usual`, because it is not known then whose call the question is about. What a call of an outside client may have
   * caused is shown in `usual` with the names of such clients.
   */
  placeOr(usual: Ask): Ask {
    return (question, signal) => {
      if (this.#cause() !== undefined) {
        return this.marked(usual)(question, signal);
      }
      const places = [...this.#open].map(({ ask }) => ask);
      const place = places.includes(undefined) ? undefined : places.at(-1);
      return (place ?? usual)(question, signal);
    };
  }

  /** Asks in the usual place, with the names of the outside clients whose calls may have caused the question. */
  marked(usual: Ask): Ask {
    return (question, signal) => usual({ ...question, ...this.#cause() }, signal);
  }

  /** The outside clients that may have caused what the server asks; undefined when none did. */
  #cause(): Pick<Question, 'clients' | 'unsure'> | undefined {
    const calls = this.#atRequest.getStore() ?? [...this.#open];
    const clients = new Map(calls.flatMap(({ client }) => (client === undefined ? [] : [[`${client.id} ${client.name}`, client.name]])));
    if (clients.size === 0) {
      return undefined;
    }
    const isOfEditor = calls.some(({ client }) => client === undefined);
    const unsure = isOfEditor ? 'editor' : clients.size > 1 ? 'client' : undefined;
    return { clients: [...clients.values()], ...(unsure !== undefined && { unsure }) };
  }

  /**
   * Does work for a server. `signal` fires when the calls of this moment are over and one was given up; `tools` names those
   * calls. Without any call the work is never aborted.
   */
  async during<T>(work: (signal: AbortSignal, tools: readonly string[]) => Promise<T>): Promise<T> {
    const calls = [...this.#open];
    const tools = [...new Set(calls.map(({ tool }) => tool))];
    if (calls.length === 0) {
      return this.#atRequest.run(calls, () => work(neverAborted(), tools));
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
      return await this.#atRequest.run(calls, () => work(unwanted.signal, tools));
    } finally {
      this.#waiting.delete(reconsider);
    }
  }
}
