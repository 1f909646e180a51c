import { Emitter } from '../../../../src/base/events.ts';
import { AppError } from '../../../../src/base/errors.ts';
import type {
  DebugBreakpoints,
  DebugOverview,
  DebugPort,
  DebugState,
  DebugStop,
  DebugValue,
  DebugWait,
  EvaluateRequest,
  FoundLaunch,
  FoundSession,
  LaunchRequest,
  SetBreakpoint,
  StateRequest,
  StepRequest,
  PlacedBreakpoint,
  WantedBreakpoint,
} from '../../../../src/server/seen/ports/debugPort.ts';

export const stoppedHere: DebugStop = {
  sessionId: 'debug-1',
  state: 'stopped',
  reason: 'breakpoint',
  path: 'src/a.ts',
  line: 1,
  stack: [{ name: 'total', path: 'src/a.ts', line: 1 }],
  changed: [{ name: 'sum', type: 'number', value: '3' }],
  output: [{ kept: 'adding\n', newFrom: 0 }],
};

const endedNow: DebugStop = {
  sessionId: 'debug-1',
  state: 'ended',
  reason: 'The program ended.',
  stack: [],
  changed: [],
  output: [],
  exitCode: 0,
};

/** A debugger that notes what it is told, and answers what a test prepared. */
export class FakeDebug implements DebugPort {
  readonly done: unknown[] = [];
  readonly didChangeAvailable = new Emitter<void>();
  readonly onDidChangeAvailable = this.didChangeAvailable.event;
  hasDebugger = true;
  overview: DebugOverview = {
    configurations: [{ name: 'Run', type: 'node' }],
    sessions: [{ id: 'debug-1', name: 'Run', state: 'stopped', reason: 'breakpoint', isYours: true }],
    breakpoints: [{ id: 'b1', path: 'src/a.ts', line: 3, isVerified: true, isYours: false }],
  };
  session: FoundSession = { id: 'debug-1', name: 'Run', mayUse: true, isEnded: false };
  chain: FoundLaunch['chain'] = { steps: [], unknown: [] };
  definition = '{}';
  /** The answers to what starts and steps, one after the other; then it has ended. */
  stops: DebugStop[] = [stoppedHere];
  value: DebugValue = { type: 'number', value: '3', isCut: false };
  state: Omit<DebugState, 'stop'> = { stack: stoppedHere.stack, variables: stoppedHere.changed, isPartial: false };
  /** Has a program come by a breakpoint that is only passed. */
  pass: (index: number) => void = () => undefined;
  /** Called before each stop. */
  onNext: () => void = () => undefined;
  /** Called with each expression; what it throws is the answer. */
  onEvaluate: (expression: string) => void = () => undefined;

  isAvailable(): boolean {
    return this.hasDebugger;
  }

  list(owner: string): Promise<DebugOverview> {
    this.done.push(['list', owner]);
    return Promise.resolve(this.overview);
  }

  setBreakpoints(owner: string, path: string, wanted: readonly WantedBreakpoint[]): Promise<readonly SetBreakpoint[]> {
    this.done.push(['setBreakpoints', owner, path, wanted]);
    return Promise.resolve(wanted.map(({ line }, index) => ({ id: `b${index}`, line, isVerified: true })));
  }

  addBreakpoints(owner: string, wanted: readonly PlacedBreakpoint[], onPassed?: (index: number) => void): DebugBreakpoints {
    this.pass = (index) => (wanted[index]?.isPassed === true ? onPassed?.(index) : undefined);
    this.done.push(['addBreakpoints', owner, wanted.map(({ path, line }) => `${path}:${line}`)]);
    return { dispose: () => this.done.push(['removeBreakpoints']) };
  }

  findLaunch(request: LaunchRequest): Promise<FoundLaunch> {
    if (request.name === 'Nothing') {
      return Promise.reject(new AppError('debug.noConfiguration', 'There is no debug configuration "Nothing".'));
    }
    return Promise.resolve({ request, name: request.name, definition: this.definition, chain: this.chain });
  }

  start(owner: string, launch: FoundLaunch, wait: DebugWait): Promise<DebugStop> {
    this.done.push(['start', owner, launch.name, Math.round(wait.waitMs / 1_000)]);
    return Promise.resolve(this.#next());
  }

  findSession(): FoundSession {
    return this.session;
  }

  share(owner: string, sessionId: string): void {
    this.done.push(['share', owner, sessionId]);
  }

  step(_owner: string, request: StepRequest): Promise<DebugStop> {
    this.done.push(['step', request]);
    return Promise.resolve(this.#next());
  }

  readState(_owner: string, request: StateRequest): Promise<DebugState> {
    this.done.push(['readState', request]);
    return Promise.resolve({ stop: stoppedHere, ...this.state });
  }

  evaluate(_owner: string, request: EvaluateRequest): Promise<DebugValue> {
    this.done.push(['evaluate', request]);
    this.onEvaluate(request.expression);
    return Promise.resolve(this.value);
  }

  endOwners(): void {
    this.done.push(['endOwners']);
  }

  #next(): DebugStop {
    this.onNext();
    return this.stops.shift() ?? endedNow;
  }
}
