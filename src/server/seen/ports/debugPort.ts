import type { Event } from '../../../base/events.ts';
import type { RunChain } from '../../../testRuns/chain/runChain.ts';

/**
 * The debugger of the editor. What a client set or started is its own; everything else is the person's. An owner is the client on
 * whose behalf something is done: its credential, and its session where many programs share the credential.
 */
export interface DebugPort {
  /** Whether an installed extension brings a debugger. */
  isAvailable(): boolean;
  readonly onDidChangeAvailable: Event<void>;
  list(owner: string): Promise<DebugOverview>;
  /** Replaces the client's own breakpoints of one file, and waits a moment for the debuggers that run to take them. */
  setBreakpoints(owner: string, path: string, wanted: readonly WantedBreakpoint[]): Promise<readonly SetBreakpoint[]>;
  /** Sets breakpoints beside all others until they are taken away again. `onPassed` hears which of them a program came by without stopping. */
  addBreakpoints(owner: string, wanted: readonly PlacedBreakpoint[], onPassed?: (index: number) => void): DebugBreakpoints;
  /**
   * Finds what would be started, with everything that runs before it. Rejects with `debug.noConfiguration`, or with `debug.noType`
   * if no extension can start it.
   */
  findLaunch(request: LaunchRequest): Promise<FoundLaunch>;
  /**
   * Starts exactly this, and waits until it stops or ends, or the time is over. Rejects with `debug.changed` if it is defined
   * differently by now.
   */
  start(owner: string, launch: FoundLaunch, wait: DebugWait, signal: AbortSignal): Promise<DebugStop>;
  /** Finds the session that is meant: without an id the client's own that stopped last. Throws `debug.noSession`. */
  findSession(owner: string, sessionId: string | undefined): FoundSession;
  /** Lets a client use a session of the person's until it ends, as the person has just allowed. */
  share(owner: string, sessionId: string): void;
  /** Rejects with `debug.notYours` for a session that is neither the client's own nor shared with it, as all that follow do. */
  step(owner: string, request: StepRequest, wait: DebugWait, signal: AbortSignal): Promise<DebugStop>;
  readState(owner: string, request: StateRequest, signal: AbortSignal): Promise<DebugState>;
  evaluate(owner: string, request: EvaluateRequest, signal: AbortSignal): Promise<DebugValue>;
  /** Ends what is left of clients that are gone: their sessions and breakpoints. */
  endOwners(isGone: (owner: string) => boolean): void;
}

/** Breakpoints that go with whoever set them; disposing takes them away. */
export interface DebugBreakpoints {
  dispose(): void;
}

export interface DebugOverview {
  readonly configurations: readonly { readonly name: string; readonly type: string; readonly folder?: string | undefined }[];
  readonly sessions: readonly ListedSession[];
  readonly breakpoints: readonly ListedBreakpoint[];
}

export type DebugStateName = 'running' | 'stopped' | 'ended';

export interface ListedSession {
  readonly id: string;
  readonly name: string;
  readonly state: DebugStateName;
  readonly reason?: string | undefined;
  readonly isYours: boolean;
}

export interface ListedBreakpoint {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly isVerified: boolean;
  readonly isYours: boolean;
}

export interface WantedBreakpoint {
  readonly line: number;
  readonly condition?: string | undefined;
  readonly hitCount?: string | undefined;
  readonly logMessage?: string | undefined;
}

export interface PlacedBreakpoint extends WantedBreakpoint {
  readonly path: string;
  /** Whether it is only to be told that a program came by: one whose debugger has log points does not stop for that. */
  readonly isPassed?: boolean | undefined;
}

export interface SetBreakpoint {
  readonly id: string;
  readonly line: number;
  readonly isVerified: boolean;
  readonly message?: string | undefined;
}

/** A configuration of launch.json, or a program that was found elsewhere. */
export type LaunchRequest =
  | { readonly kind: 'configuration'; readonly name: string }
  | {
      readonly kind: 'program';
      readonly name: string;
      readonly program: string;
      readonly args: readonly string[];
      /** The absolute path of the folder it runs in. */
      readonly cwd: string;
      readonly chain: RunChain;
    };

export interface FoundLaunch {
  readonly request: LaunchRequest;
  readonly name: string;
  /** Everything that decides what runs, complete, as the person is shown it. */
  readonly definition: string;
  /** The scripts that run with it and with the tasks before and after it, and which of them cannot be known. */
  readonly chain: RunChain;
}

export interface DebugWait {
  readonly waitMs: number;
  /** Whether only the place is wanted, without the variables. */
  readonly isBrief?: boolean | undefined;
}

export interface FoundSession {
  readonly id: string;
  readonly name: string;
  /** Whether the client started it, or the person shared it with the client. */
  readonly mayUse: boolean;
  readonly isEnded: boolean;
}

export type StepAction = 'continue' | 'over' | 'into' | 'out' | 'pause' | 'stop';

export interface StepRequest {
  readonly sessionId: string;
  readonly action: StepAction;
  /** The line of the current file up to which it runs; only with `continue`. */
  readonly toLine?: number | undefined;
}

/** What a session is at, and what is new since the client was last told. */
export interface DebugStop {
  readonly sessionId: string;
  readonly state: DebugStateName;
  readonly reason: string;
  readonly exception?: string | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly stack: readonly DebugFrame[];
  /** The variables of the top frame that are new or have another value than at the last stop there. */
  readonly changed: readonly DebugVariable[];
  /** What the session and those that it opened wrote. */
  readonly output: readonly SessionOutput[];
  readonly exitCode?: number | undefined;
}

/** What one session wrote. What is new comes with what was kept before: a secret may have begun there, and only the whole tells it. */
export interface SessionOutput {
  readonly kept: string;
  /** Where in it begins what is new to the client. */
  readonly newFrom: number;
}

export interface DebugFrame {
  readonly name: string;
  /** The path as clients write it; left out for what is no file. */
  readonly path?: string | undefined;
  readonly line?: number | undefined;
}

export interface DebugVariable {
  readonly name: string;
  readonly type?: string | undefined;
  readonly value?: string | undefined;
}

export interface StateRequest {
  readonly sessionId: string;
  /** The frame, from 0, the innermost. */
  readonly frame: number;
  /** The names of the variables that are wanted; without it all are. */
  readonly names?: readonly string[] | undefined;
  /** How deep into objects and lists. */
  readonly depth: number;
}

export interface DebugState {
  readonly stop: DebugStop;
  readonly stack: readonly DebugFrame[];
  readonly variables: readonly DebugVariable[];
  /** Whether there are more variables than these. */
  readonly isPartial: boolean;
}

export interface EvaluateRequest {
  readonly sessionId: string;
  readonly expression: string;
  readonly frame: number;
  readonly timeoutMs: number;
}

export interface DebugValue {
  readonly type?: string | undefined;
  readonly value: string;
  /** Whether the value was longer than what is taken of any. */
  readonly isCut: boolean;
}
