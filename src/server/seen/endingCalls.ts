import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { clientError, serverError } from '../errors/serverErrors.ts';
import type { EditorPort } from './ports/editorPort.ts';
import type { Workbench } from './workbench.ts';

/** Reads are promised within 10 seconds and calls within 30: something has to be left for the answer. */
const readMs = 9_000;
const callMs = 28_000;
const lookMs = 5_000;
/**
 * A page may be away for a moment: a network that comes back, a machine that slept. Yet clients are told after 25 seconds that the
 * person is still asked: not if there is no page to answer on.
 */
const maxSilentMs = 15_000;

const parts = ['documents', 'language', 'workspace', 'terminals', 'acting', 'tests'] as const satisfies readonly (keyof EditorPort)[];

type Members = Map<PropertyKey, { readonly member: unknown; readonly ending: unknown }>;

export interface EndingCallsOptions {
  readonly workbench: Pick<Workbench, 'answers'>;
  readonly clock: Clock;
}

/**
 * Lets every call of an editor end: most of what VS Code does for a client needs its page, and one that is gone never answers.
 * It is all calls of all ports, so that one which is added later ends, too.
 */
export class EndingCalls implements Disposable {
  readonly #options: EndingCallsOptions;
  readonly #underWay = new Set<Ending>();
  /** By the object they are of: some are called for every path of a long list. */
  readonly #members = new WeakMap<object, Members>();

  constructor(options: EndingCallsOptions) {
    this.#options = options;
  }

  /** The same editor. */
  of(editor: EditorPort): EditorPort {
    const isPart = (name: PropertyKey): name is (typeof parts)[number] => parts.some((part) => part === name);
    return new Proxy(editor, {
      get: (target, name) => (isPart(name) ? this.#port(target[name], name) : this.#member(target, name, 'editor')),
    });
  }

  /** The same question to the person; it ends, too, when there is no page to answer it on. */
  ofQuestion<Args extends readonly unknown[], Answer>(ask: (...args: Args) => Promise<Answer>): (...args: Args) => Promise<Answer> {
    return (...args) => this.#follow(args, 'acting', (heard) => ask(...(heard as Args))) as Promise<Answer>;
  }

  dispose(): void {
    for (const call of this.#underWay) {
      call.end(serverError('server.stopped'));
    }
  }

  #port<Port extends object>(port: Port, part: string): Port {
    return new Proxy(port, { get: (target, name) => this.#member(target, name, part) });
  }

  #member(target: object, name: PropertyKey, part: string): unknown {
    const member: unknown = Reflect.get(target, name);
    if (typeof member !== 'function') {
      return member;
    }
    const members = this.#membersOf(target);
    const known = members.get(name);
    if (known?.member === member) {
      return known.ending;
    }
    const ending = (...args: readonly unknown[]): unknown => {
      return this.#follow(args, part, (heard) => Reflect.apply(member, target, heard));
    };
    members.set(name, { member, ending });
    return ending;
  }

  #membersOf(target: object): Members {
    const known = this.#members.get(target);
    if (known !== undefined) {
      return known;
    }
    const members: Members = new Map();
    this.#members.set(target, members);
    return members;
  }

  /** `heard` is what the editor gets: with a signal of ours in the place of the client's. */
  #follow(args: readonly unknown[], part: string, call: (heard: readonly unknown[]) => unknown): unknown {
    const withdrawn = args.find((arg) => arg instanceof AbortSignal);
    // Most of what is answered at once takes no signal, and one costs more than the rest of it.
    const stop = withdrawn === undefined ? undefined : new AbortController();
    const result = call(
      stop === undefined ? args : args.map((arg) => (arg === withdrawn && withdrawn?.aborted === false ? stop.signal : arg)),
    );
    if (!(result instanceof Promise)) {
      return result;
    }
    const underWay = { limitMs: limitOf(part, withdrawn), stop, withdrawn };
    const ending = new Ending(result, underWay, this.#options, () => this.#underWay.delete(ending));
    this.#underWay.add(ending);
    return ending.outcome;
  }
}

/**
 * In milliseconds; none for what waits for the person, who may take their time as long as there is a page to answer on: acts
 * that can be withdrawn.
 */
function limitOf(part: string, withdrawn: AbortSignal | undefined): number {
  switch (part) {
    case 'documents':
      return readMs;
    case 'acting':
      return withdrawn === undefined ? callMs : Infinity;
    default:
      return callMs;
  }
}

interface CallUnderWay {
  readonly limitMs: number;
  /** Its signal is the one that the editor has; none where it takes none. */
  readonly stop: AbortController | undefined;
  /** By the client. */
  readonly withdrawn: AbortSignal | undefined;
}

/** One call under way: it ends with the work, when its time is over, or when the page has been silent for too long. */
class Ending {
  readonly outcome: Promise<unknown>;
  readonly #call: CallUnderWay;
  readonly #options: EndingCallsOptions;
  readonly #endsAt: number;
  #silentSince: number | undefined;
  #timer: Disposable | undefined;
  #isOver = false;
  #reject: (reason: unknown) => void = () => undefined;
  readonly #letGo: () => void;

  constructor(work: Promise<unknown>, call: CallUnderWay, options: EndingCallsOptions, onOver: () => void) {
    this.#call = call;
    this.#options = options;
    const { withdrawn, limitMs } = call;
    this.#endsAt = options.clock.now() + limitMs;
    const withdraw = (): void => this.end(withdrawn?.reason);
    withdrawn?.addEventListener('abort', withdraw, { once: true });
    this.#letGo = () => {
      this.#isOver = true;
      this.#timer?.dispose();
      withdrawn?.removeEventListener('abort', withdraw);
      onOver();
    };
    this.outcome = new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject).finally(this.#letGo);
    });
    this.#lookLater();
  }

  /** What was begun may go on unheard, and need never end: so nothing waits for that. */
  end(reason: unknown): void {
    this.#letGo();
    this.#reject(reason);
    this.#call.stop?.abort(reason);
  }

  #lookLater(): void {
    const { clock } = this.#options;
    const left = Math.max(0, this.#endsAt - clock.now());
    this.#timer = clock.schedule(Math.min(lookMs, left), () => (left > lookMs ? void this.#look() : this.#timeIsOver()));
  }

  async #look(): Promise<void> {
    const { workbench, clock } = this.#options;
    const askedAt = clock.now();
    const answers = await workbench.answers();
    if (this.#isOver) {
      return;
    }
    this.#silentSince = answers ? undefined : (this.#silentSince ?? askedAt);
    if (this.#silentSince !== undefined && clock.now() - this.#silentSince >= maxSilentMs) {
      this.end(clientError('editor.silent'));
    } else {
      this.#lookLater();
    }
  }

  #timeIsOver(): void {
    const seconds = Math.round(this.#call.limitMs / 1_000);
    this.end(this.#silentSince === undefined ? clientError('editor.unfinished', { seconds }) : clientError('editor.silent'));
  }
}
