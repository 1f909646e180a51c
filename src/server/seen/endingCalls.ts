import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { clientError, serverError } from '../errors/serverErrors.ts';
import type { EditorPort } from './ports/editorPort.ts';
import type { Workbench } from './workbench.ts';

/** The time limit of a read. Clients expect reads within 10 seconds and calls within 30, so some time is left for the answer. */
const readMs = 9_000;
/** The time limit of a call. */
const callMs = 28_000;
/** What a check of files may take longer than the time that it was given: it waits for the disk before, and gathers what it found after. */
const checkMarginMs = 8_000;
/** How often a call under way checks whether the page still answers. */
const lookMs = 5_000;
/**
 * How long the page may be silent before a call is given up. A page may be away for a moment, after a lost network or a sleep. But
 * it must be less than 25 seconds: then clients are told that the person is still being asked, which must not be said if there is
 * no page to answer on.
 */
const maxSilentMs = 15_000;

const parts = [
  'documents',
  'language',
  'workspace',
  'terminals',
  'acting',
  'tests',
  'debug',
] as const satisfies readonly (keyof EditorPort)[];

/** The acts that only start what the person has allowed before: they wait for nobody. */
const starts: ReadonlySet<PropertyKey> = new Set<keyof EditorPort['acting']>(['startTask', 'startCommand']);

type Members = Map<PropertyKey, { readonly member: unknown; readonly ending: unknown }>;

export interface EndingCallsOptions {
  readonly workbench: Pick<Workbench, 'answers'>;
  readonly clock: Clock;
}

/**
 * Makes sure that every call to the editor ends. Most calls need the page of the VS Code window, and a page that is gone never
 * answers. It wraps all members of all ports, so that a member that is added later ends, too.
 */
export class EndingCalls implements Disposable {
  readonly #options: EndingCallsOptions;
  readonly #underWay = new Set<Ending>();
  /** The wrapped functions by the object they belong to: some are called for every path of a long list. */
  readonly #members = new WeakMap<object, Members>();

  constructor(options: EndingCallsOptions) {
    this.#options = options;
  }

  /** Returns the same editor, whose calls end. */
  of(editor: EditorPort): EditorPort {
    const isPart = (name: PropertyKey): name is (typeof parts)[number] => parts.some((part) => part === name);
    return new Proxy(editor, {
      get: (target, name) => (isPart(name) ? this.#port(target[name], name) : this.#member(target, name, String(name))),
    });
  }

  /** Wraps a question to the person, so that it ends when there is no page to answer it on. */
  ofQuestion<Args extends readonly unknown[], Answer>(ask: (...args: Args) => Promise<Answer>): (...args: Args) => Promise<Answer> {
    return (...args) => this.#follow(args, 'acting', (heard) => ask(...(heard as Args))) as Promise<Answer>;
  }

  dispose(): void {
    for (const call of this.#underWay) {
      call.end(serverError('server.stopped'));
    }
  }

  #port<Port extends object>(port: Port, part: string): Port {
    return new Proxy(port, { get: (target, name) => this.#member(target, name, starts.has(name) ? 'starts' : part) });
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

  /** Makes the call with a signal of our own in the place of the client's, so that the call can be ended from here, too. */
  #follow(args: readonly unknown[], part: string, call: (heard: readonly unknown[]) => unknown): unknown {
    const withdrawn = args.find((arg) => arg instanceof AbortSignal);
    // A signal is made only where the call takes one: it costs more than everything else here, and most calls that answer at once
    // take none.
    const stop = withdrawn === undefined ? undefined : new AbortController();
    const result = call(
      stop === undefined ? args : args.map((arg) => (arg === withdrawn && withdrawn?.aborted === false ? stop.signal : arg)),
    );
    if (!(result instanceof Promise)) {
      return result;
    }
    const underWay = { limitMs: limitOf(part, args, withdrawn), stop, withdrawn };
    const ending = new Ending(result, underWay, this.#options, () => this.#underWay.delete(ending));
    this.#underWay.add(ending);
    return ending.outcome;
  }
}

/**
 * The time limit of a call in milliseconds. Acts that can be withdrawn wait for the person, who may take any time as long as there
 * is a page to answer on. A check of files ends by itself when its time is up, and tells what it found by then.
 */
function limitOf(part: string, args: readonly unknown[], withdrawn: AbortSignal | undefined): number {
  switch (part) {
    case 'documents':
      return readMs;
    case 'checkFiles':
      return (args as Parameters<EditorPort['checkFiles']>)[0].timeMs + checkMarginMs;
    case 'acting':
    case 'debug':
      return withdrawn === undefined ? callMs : Infinity;
    default:
      return callMs;
  }
}

interface CallUnderWay {
  readonly limitMs: number;
  /** Controls the signal that the editor was given; `undefined` if the call takes no signal. */
  readonly stop: AbortController | undefined;
  /** The client's own signal. */
  readonly withdrawn: AbortSignal | undefined;
}

/** One call that is under way. It ends with its work, when its time is over, or when the page has been silent for too long. */
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

  /** Ends the call for the client. The work may continue, perhaps for ever, so nobody waits for it. */
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
