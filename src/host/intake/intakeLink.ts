import type { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { Slices } from '../../base/slices.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { JSONRPCMessage, Transport } from '../shared/sdk.ts';
import type { ServerLink } from '../shared/serverLink.ts';
import { type Admitted, boundMessage, type Steps } from './boundMessage.ts';
import { TurnCount } from './messageText.ts';
import { intakeLimits } from './intakeLimits.ts';

type Receive = NonNullable<Transport['onmessage']>;
type Extra = Parameters<Receive>[1];
type Task = () => Promise<void> | undefined;

/** Returns the same link, but every message that comes over it is bounded. */
export function intakeLink(link: ServerLink, log: Log): ServerLink {
  const door = new Door(link.transport, log);
  return {
    transport: doorTransport(link.transport, door),
    get end() {
      return door.end ?? link.end;
    },
    get lastWords() {
      return link.lastWords;
    },
    origin: link.origin,
    isDebugged: link.isDebugged,
    era: link.era,
  };
}

/** The most kinds of cut fields that the log names for one connection. */
const maxNamed = 20;
/** The most requests whose answers are awaited; the oldest are forgotten, and their answers are bounded like any other. */
const maxAwaited = 10_000;
const invalidParams = -32_602;

/** Takes the messages of one connection in, in their order. Small ones pass at once; others wait while a large one is worked on. */
class Door {
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #methods = new Map<unknown, string>();
  readonly #named = new Set<string>();
  #waiting: Task[] = [];
  #isBusy = false;
  /** Many small messages can come at once, and the SDK works on them only after all of them were delivered. */
  readonly #turn = new TurnCount(intakeLimits.perTurn);
  end: AppError | undefined;
  receive: Receive | undefined;
  onclose: Transport['onclose'];

  constructor(transport: Transport, log: Log) {
    this.#transport = transport;
    this.#log = log;
  }

  /** Remembers what a request asks for: only that tells what its answer should be. */
  noteSent(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#methods.set(message.id, message.method);
      const [oldest] = this.#methods.keys();
      if (this.#methods.size > maxAwaited) {
        this.#methods.delete(oldest);
      }
    }
  }

  message(message: JSONRPCMessage, extra: Extra): void {
    if (this.end !== undefined) {
      return;
    }
    if (this.#waiting.length >= intakeLimits.waiting) {
      this.#fail(hostError('host.tooManyMessages', { limit: intakeLimits.waiting }));
      return;
    }
    this.#inTurn(() => this.#take(message, extra));
  }

  /** Says that the connection, or the stream of one request, is over: after every message that came before. */
  ended(say: () => void): void {
    this.#inTurn(() => {
      say();
      return undefined;
    });
  }

  #fail(end: AppError): void {
    if (this.end === undefined) {
      this.end = end;
      this.#waiting = [];
      void this.#transport.close();
    }
  }

  #inTurn(task: Task): void {
    if (this.#isBusy) {
      this.#waiting.push(task);
      return;
    }
    const working = this.#turn.take() ? task() : this.#turn.next().then(task);
    if (working !== undefined) {
      this.#isBusy = true;
      void this.#goOn(working);
    }
  }

  async #goOn(first: Promise<void>): Promise<void> {
    let working: Promise<void> | undefined = first;
    for (let isWaiting = true; isWaiting;) {
      try {
        await working;
        const next = this.#waiting.shift();
        if (next !== undefined && !this.#turn.take()) {
          await this.#turn.next();
        }
        working = next?.();
        isWaiting = next !== undefined;
      } catch (error) {
        working = undefined;
        this.#report(error);
      }
    }
    this.#isBusy = false;
  }

  /** Returns a promise only for a message that takes longer than a slice. */
  #take(message: JSONRPCMessage, extra: Extra): Promise<void> | undefined {
    const steps = boundMessage(message, this.#methodOf(message));
    const slices = new Slices();
    let step = steps.next();
    while (step.done !== true && !slices.isUsedUp) {
      step = steps.next();
    }
    if (step.done !== true || slices.isUsedUp) {
      return this.#takeInSlices(steps, step, slices, extra);
    }
    this.#admit(step.value, extra);
    return undefined;
  }

  #methodOf(message: JSONRPCMessage): string | undefined {
    if ('method' in message) {
      return undefined;
    }
    const method = this.#methods.get(message.id);
    this.#methods.delete(message.id);
    return method;
  }

  async #takeInSlices(steps: Steps<Admitted>, begun: IteratorResult<undefined, Admitted>, slices: Slices, extra: Extra): Promise<void> {
    let step = begun;
    for (; step.done !== true; step = steps.next()) {
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
    }
    // Whoever gets it now works on it for a while, too.
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#admit(step.value, extra);
  }

  #admit(admitted: Admitted, extra: Extra): void {
    switch (admitted.kind) {
      case 'passed':
        admitted.cut.forEach((field) => this.#say(field, `What the server sends is too long and was cut or left out: ${field}.`));
        this.#deliver(admitted.message, extra);
        return;
      case 'dropped':
        this.#say(admitted.method, `A notification of the server is too large and was ignored.`);
        return;
      case 'refused':
        this.#say('request', 'A request of the server is too large, or has parts that the protocol does not know, and was refused.');
        this.#transport
          .send({
            jsonrpc: '2.0',
            id: admitted.id,
            error: {
              code: invalidParams,
              message: 'The request is larger than this client takes, or has parts that the protocol does not know.',
            },
          })
          .catch(() => undefined);
    }
  }

  #deliver(message: JSONRPCMessage, extra: Extra): void {
    try {
      this.receive?.(message, extra);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    this.#transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  #say(what: string, sentence: string): void {
    if (!this.#named.has(what) && this.#named.size < maxNamed) {
      this.#named.add(what);
      this.#log.warn(sentence);
    }
  }
}

/**
 * Wraps a transport in a proxy, because the SDK looks at a transport's members to find out what it can do. The SDK also
 * replaces `onmessage` for a while, with a listener that passes nothing on; the door still sees those messages.
 */
function doorTransport(transport: Transport, door: Door): Transport {
  let send: Transport['send'] = (message, options) => {
    door.noteSent(message);
    const sayEnd = options?.onRequestStreamEnd;
    return transport.send(message, sayEnd === undefined ? options : { ...options, onRequestStreamEnd: () => door.ended(sayEnd) });
  };
  transport.onmessage = (message, extra) => door.message(message, extra);
  transport.onclose = () => door.ended(() => door.onclose?.());
  return new Proxy(transport, {
    get: (target, name) => {
      switch (name) {
        case 'send':
          return send;
        case 'onmessage':
          return door.receive;
        case 'onclose':
          return door.onclose;
        default: {
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        }
      }
    },
    set: (target, name, value: unknown) => {
      switch (name) {
        case 'send':
          send = value as Transport['send'];
          return true;
        case 'onmessage':
          door.receive = value as Receive | undefined;
          return true;
        case 'onclose':
          door.onclose = value as Transport['onclose'];
          return true;
        default:
          return Reflect.set(target, name, value, target);
      }
    },
  });
}
