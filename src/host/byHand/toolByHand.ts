// byHand/: tools that a person runs themselves, from a form: one run after the other of one tool (this file), what was run before and
// saved (keptRuns.ts), and the tools of servers that do not run now (knownTools.ts).
import { isAbort } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { RunPress } from '../../consent/consentModel.ts';
import { toHostError } from '../shared/hostErrors.ts';
import type { ToolProgress } from '../connection/serverSession.ts';
import type { CallOutcome } from '../tools/toolCaller.ts';

/** The state of a tool that a person runs. `waiting` means waiting for its server, or for permission. */
export type HandRun =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting'; readonly arguments: JsonObject }
  | { readonly kind: 'running'; readonly arguments: JsonObject; readonly progress?: ToolProgress | undefined }
  | EndedRun;

export interface EndedRun {
  readonly kind: 'ended';
  /** The arguments as they were sent: the person may have changed them when they were asked. */
  readonly arguments: JsonObject;
  readonly outcome: CallOutcome;
  /** How long the call took, in ms; undefined for one that was never made. */
  readonly elapsedMs: number | undefined;
}

export interface CallHooks {
  readonly signal: AbortSignal;
  readonly onStart: (args: JsonObject) => void;
  readonly onProgress: (progress: ToolProgress) => void;
}

export interface ToolByHandOptions {
  /**
   * Starts the server if necessary, asks unless the press of Run covers the call, and calls. It may reject, which counts as a failed run.
   */
  readonly call: (args: JsonObject, hooks: CallHooks, press?: RunPress) => Promise<CallOutcome>;
  readonly clock: Clock;
}

/** The shortest time between two reports of progress. Servers may send more, but nobody reads faster. */
const minProgressGapMs = 100;

/** One tool that a person runs: one call at a time. The last run stays to be looked at. */
export class ToolByHand implements Disposable {
  readonly #options: ToolByHandOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<HandRun>());
  #run: HandRun = { kind: 'none' };
  #stop: AbortController | undefined;
  #telling: Disposable | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(options: ToolByHandOptions) {
    this.#options = options;
  }

  get run(): HandRun {
    return this.#run;
  }

  /**
   * Runs the tool; `press` is given when the person pressed Run with all of it in view. Resolves to undefined when a run is under way
   * already, which goes on. Never rejects.
   */
  async start(args: JsonObject, press?: RunPress): Promise<EndedRun | undefined> {
    if (this.#stop !== undefined || this.#lifetime.isDisposed) {
      return undefined;
    }
    const stop = new AbortController();
    this.#stop = stop;
    this.#set({ kind: 'waiting', arguments: args });
    const ended = await this.#settle(args, stop.signal, press);
    this.#stop = undefined;
    this.#set(ended);
    return ended;
  }

  /** Shows a run that was made elsewhere. Returns false while a run is under way, which stays. */
  adopt(ended: EndedRun): boolean {
    if (this.#stop !== undefined || this.#lifetime.isDisposed) {
      return false;
    }
    this.#set(ended);
    return true;
  }

  stop(): void {
    this.#stop?.abort();
  }

  dispose(): void {
    this.stop();
    this.#telling?.dispose();
    this.#lifetime.dispose();
  }

  async #settle(given: JsonObject, signal: AbortSignal, press: RunPress | undefined): Promise<EndedRun> {
    const { call, clock } = this.#options;
    let args = given;
    let startedAt: number | undefined;
    const hooks: CallHooks = {
      signal,
      onStart: (sent) => {
        args = sent;
        startedAt = clock.now();
        this.#set({ kind: 'running', arguments: sent });
      },
      onProgress: (progress) => this.#progress(args, progress),
    };
    const outcome = await call(given, hooks, press).catch((error: unknown) => failureOf(error, signal));
    return { kind: 'ended', arguments: args, outcome, elapsedMs: startedAt === undefined ? undefined : clock.now() - startedAt };
  }

  #progress(args: JsonObject, progress: ToolProgress): void {
    if (this.#run.kind !== 'running') {
      return; // the progress belongs to a call that is over
    }
    this.#run = { kind: 'running', arguments: args, progress };
    this.#telling ??= this.#options.clock.schedule(minProgressGapMs, () => {
      this.#telling = undefined;
      this.#changed.fire(this.#run);
    });
  }

  #set(run: HandRun): void {
    this.#telling?.dispose();
    this.#telling = undefined;
    this.#run = run;
    this.#changed.fire(run);
  }
}

function failureOf(error: unknown, { aborted }: AbortSignal): CallOutcome {
  return aborted || isAbort(error) ? { kind: 'cancelled' } : { kind: 'failed', error: toHostError(error) };
}
