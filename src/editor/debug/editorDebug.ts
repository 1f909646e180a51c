import * as vscode from 'vscode';
import { atMost, untilAborted } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { canonicalJson } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type {
  DebugPort,
  DebugStop,
  DebugState,
  DebugValue,
  DebugWait,
  EvaluateRequest,
  FoundLaunch,
  SessionOutput,
  StateRequest,
  StepRequest,
} from '../../server/seen/ports/debugPort.ts';
import type { RunningTask } from '../../server/seen/ports/actingPort.ts';
import type { ResolveChain } from '../../testRuns/chain/runChain.ts';
import { createTaskLookUp, type LookUpTask } from '../acting/tasks/taskDefinitions.ts';
import { startTask } from '../acting/tasks/taskRuns.ts';
import { debugError } from './debugErrors.ts';
import { ClientBreakpoints } from './breakpoints.ts';
import { DebugSessions, type KnownSession, mayUse, sessionOwner, rootOf } from './debugSessions.ts';
import { type AskAdapter, askInTime, exceptionOf, framesOf, maxFrames, maxValue, threadsOf, variablesOf } from './debugValues.ts';
import { LogMarks } from './logMarks.ts';
import { debugTypes, type LaunchPlan, listConfigurations, lookUpLaunch } from './launches.ts';
import { askOf, changedIn, passOn, reasonOf, threadOf, toFrame, frameUri } from './stoppedProgram.ts';

/** The most sessions of one client that run at the same time. */
const maxOwnSessions = 5;
/** How long, in ms, the exit code and the last output may come after the end. */
const lastWordsMs = 300;
/** How long, in ms, a session that was told to stop may take. */
const stopMs = 5_000;
/** How long a program that is to be paused may take to begin. */
const beginMs = 10_000;
/** How many frames a stop names. */
const fewFrames = 5;

export function createEditorDebug(resolveChain: ResolveChain): DebugPort & Disposable {
  return new EditorDebug(resolveChain);
}

class EditorDebug implements DebugPort, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #marks = new LogMarks();
  readonly #sessions = this.#lifetime.add(
    new DebugSessions(
      (written) => this.#marks.take(written),
      (late) => void this.#stop(late),
    ),
  );
  readonly #breakpoints = new ClientBreakpoints(() => this.#running(), this.#marks);
  readonly #available = this.#lifetime.add(new Emitter<void>());
  readonly #tasksBefore = new Map<KnownSession, RunningTask>();
  readonly #resolveChain: ResolveChain;
  readonly #lookUpTask: LookUpTask;
  readonly onDidChangeAvailable: Event<void> = this.#available.event;

  constructor(resolveChain: ResolveChain) {
    this.#resolveChain = resolveChain;
    this.#lookUpTask = createTaskLookUp(resolveChain);
    this.#lifetime.add(vscode.extensions.onDidChange(() => this.#available.fire()));
  }

  isAvailable(): boolean {
    return debugTypes().size > 0;
  }

  async list(owner: string): ReturnType<DebugPort['list']> {
    const all = this.#sessions.all();
    const hasChild = (known: KnownSession): boolean => all.some(({ parent, record }) => parent === known && record.state !== 'ended');
    const sessions = all
      .filter((known) => known.record.state !== 'ended' || sessionOwner(known) === owner)
      .filter((known) => !hasChild(known))
      .map((known) => ({
        id: known.id,
        name: known.name,
        state: known.record.state,
        reason: reasonOf(known),
        isYours: sessionOwner(known) === owner,
      }));
    return { configurations: listConfigurations(), sessions, breakpoints: await this.#breakpoints.list(owner) };
  }

  setBreakpoints(...[owner, path, wanted]: Parameters<DebugPort['setBreakpoints']>): ReturnType<DebugPort['setBreakpoints']> {
    return this.#breakpoints.replace(owner, path, wanted);
  }

  addBreakpoints(...[owner, wanted, onPassed]: Parameters<DebugPort['addBreakpoints']>): ReturnType<DebugPort['addBreakpoints']> {
    return this.#breakpoints.add(owner, wanted, onPassed);
  }

  async findLaunch(request: FoundLaunch['request']): Promise<FoundLaunch> {
    return (await lookUpLaunch(request, this.#lookUpTask, this.#resolveChain)).found;
  }

  async start(owner: string, launch: FoundLaunch, wait: DebugWait, signal: AbortSignal): Promise<DebugStop> {
    const { plan, found } = await lookUpLaunch(launch.request, this.#lookUpTask, this.#resolveChain);
    if (found.definition !== launch.definition || canonicalJson(found.chain) !== canonicalJson(launch.chain)) {
      throw debugError('debug.changed', { name: launch.name });
    }
    signal.throwIfAborted();
    const live = this.#sessions.all().filter((each) => each.owner === owner && each.record.state !== 'ended');
    if (live.length >= maxOwnSessions) {
      throw debugError('debug.tooManySessions', { limit: maxOwnSessions });
    }
    const known = this.#sessions.prepare(plan.configuration.name, owner);
    void this.#launch(known, plan);
    try {
      return await this.#afterStop(known, new Map(), { owner, wait, signal });
    } catch (error) {
      void this.#stop(known); // a call that is cancelled leaves nothing behind
      throw error;
    }
  }

  findSession(owner: string, sessionId: string | undefined): ReturnType<DebugPort['findSession']> {
    const known = this.#sessions.choose(owner, sessionId);
    return { id: known.id, name: known.name, mayUse: mayUse(known, owner), isEnded: known.record.state === 'ended' };
  }

  share(owner: string, sessionId: string): void {
    const known = this.#sessions.find(sessionId);
    if (known !== undefined) {
      rootOf(known).sharedWith.add(owner);
    }
  }

  async step(owner: string, request: StepRequest, wait: DebugWait, signal: AbortSignal): Promise<DebugStop> {
    const known = this.#usable(owner, request.sessionId);
    const root = rootOf(known);
    const told = { owner, wait, signal };
    if (known.record.state === 'ended') {
      return this.#describe(known, told);
    }
    if (request.action === 'stop') {
      await this.#stop(root);
      return this.#describe(root, told);
    }
    const before = new Map(this.#sessions.treeOf(root).map((each) => [each, each.record.stops]));
    const undo = await this.#resume(known, { ...request, action: request.action }, owner);
    try {
      return await this.#afterStop(root, before, told);
    } finally {
      undo?.dispose();
    }
  }

  async readState(owner: string, { sessionId, frame, names, depth }: StateRequest, signal: AbortSignal): Promise<DebugState> {
    const known = this.#usable(owner, sessionId);
    const wait = { waitMs: 0 };
    const stop = await this.#describe(known, { owner, wait, signal });
    const ask = askOf(known);
    if (ask === undefined || known.record.state !== 'stopped') {
      return { stop, stack: stop.stack, variables: [], isPartial: false };
    }
    const frames = await framesOf(ask, await threadOf(known, ask), maxFrames);
    const chosen = frames[frame];
    if (chosen === undefined && frame > 0) {
      throw debugError('debug.noFrame', { frame, count: frames.length });
    }
    const read = chosen === undefined ? { variables: [], isPartial: false } : await variablesOf(ask, chosen.id, { names, depth });
    return { stop, stack: frames.map(toFrame), ...read };
  }

  async evaluate(owner: string, { sessionId, expression, frame, timeoutMs }: EvaluateRequest, signal: AbortSignal): Promise<DebugValue> {
    const known = this.#usable(owner, sessionId);
    const ask = askOf(known);
    if (ask === undefined || known.record.state !== 'stopped') {
      throw debugError('debug.notStopped', { id: known.id });
    }
    const frames = await framesOf(ask, await threadOf(known, ask), frame + 1);
    const chosen = frames[frame];
    if (chosen === undefined && frame > 0) {
      throw debugError('debug.noFrame', { frame, count: frames.length });
    }
    const args = { expression, context: 'watch', ...(chosen !== undefined && { frameId: chosen.id }) };
    let answer: unknown;
    try {
      answer = await atMost(Promise.resolve(ask('evaluate', args)), timeoutMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw debugError('debug.notEvaluated', { reason: messageOf(error).slice(0, maxFailure) });
    }
    if (answer === undefined) {
      throw debugError('debug.evaluationTooSlow', { timeoutMs });
    }
    const { result, type } = answer as { readonly result?: unknown; readonly type?: unknown };
    const value = typeof result === 'string' ? result : '';
    return {
      ...(typeof type === 'string' && type !== '' && { type }),
      value: value.slice(0, maxValue),
      isCut: value.length > maxValue,
    };
  }

  endOwners(isGone: (owner: string) => boolean): void {
    this.#breakpoints.endOwners(isGone);
    for (const known of this.#sessions.all()) {
      if (known.owner !== undefined && known.record.state !== 'ended' && isGone(known.owner)) {
        void this.#stop(known);
      }
      [...known.sharedWith].filter(isGone).forEach((owner) => known.sharedWith.delete(owner));
    }
  }

  dispose(): void {
    this.endOwners(() => true);
    this.#lifetime.dispose();
  }

  #running(): readonly vscode.DebugSession[] {
    const live = this.#sessions.all().filter(({ record }) => record.state !== 'ended');
    return live.map(({ session }) => session).filter((session) => session !== undefined);
  }

  #usable(owner: string, sessionId: string): KnownSession {
    const known = this.#sessions.choose(owner, sessionId);
    if (!mayUse(known, owner)) {
      throw debugError('debug.notYours', { id: sessionId });
    }
    return known;
  }

  /** Runs the task before it, and starts it. Nobody waits for this: how it goes is seen in the record. */
  async #launch(known: KnownSession, { configuration, folder, before }: LaunchPlan): Promise<void> {
    const { record } = known;
    try {
      if (before !== undefined) {
        const task = await startTask(before.found, this.#lookUpTask, (text) => record.write(text));
        this.#tasksBefore.set(known, task);
        if (record.state === 'ended') {
          task.terminate(); // it was stopped while the task was looked up
        }
        const { exitCode } = await task.ended;
        if (exitCode !== 0) {
          record.end(`The task "${before.found.name}" that runs before it ended with exit code ${exitCode ?? 'unknown'}.`);
        }
      }
      if (record.state !== 'ended') {
        // Nobody has asked for files to be saved, or the person has had them saved by now.
        const options: vscode.DebugSessionOptions = { suppressSaveBeforeStart: true, suppressDebugView: true };
        // VS Code would ask in a dialog of its own as long as the adapter of the last run has not quite gone.
        const started = { ...configuration, suppressMultipleSessionWarning: true };
        this.#sessions.expect(known);
        const isStarted = await vscode.debug.startDebugging(folder, started, options);
        if (!isStarted) {
          record.end('VS Code did not start it; it says why in its window.');
        }
      }
    } catch (error) {
      record.end(`It was not started: ${messageOf(error).slice(0, maxFailure)}`);
    } finally {
      this.#tasksBefore.delete(known);
      this.#sessions.giveUp(known);
    }
  }

  async #stop(root: KnownSession): Promise<void> {
    this.#tasksBefore.get(root)?.terminate();
    if (root.session === undefined) {
      root.record.end('It was stopped before it began.');
      return;
    }
    // The first time VS Code may only ask the program to end; the second time it ends it.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const live = this.#sessions.treeOf(root).filter(({ record }) => record.state !== 'ended');
      // The innermost first: VS Code leaves what a session has opened alone.
      for (const { session } of live.toReversed()) {
        await (session === undefined ? undefined : atMost(Promise.resolve(vscode.debug.stopDebugging(session)), stopMs));
      }
      await this.#until(() => live.every(({ record }) => record.state === 'ended'), stopMs);
    }
  }

  /** Makes the program run on; returns what has to be taken back afterwards. */
  async #resume(known: KnownSession, { action, toLine }: ResumeRequest, owner: string): Promise<Disposable | undefined> {
    if (action === 'pause') {
      await this.#pause(known);
      return undefined;
    }
    const ask = askOf(known);
    const isStopped = known.record.state === 'stopped';
    if (ask === undefined || (!isStopped && action === 'continue')) {
      return undefined; // it runs already, and is waited for
    }
    if (!isStopped) {
      throw debugError('debug.notStopped', { id: known.id });
    }
    const threadId = await threadOf(known, ask);
    const undo = toLine === undefined ? undefined : await this.#stopAt(known, ask, toLine, owner);
    await passOn(known, ask, action, threadId);
    return undo;
  }

  /** Pauses a program, once it has begun: an adapter may forget what it is asked before. */
  async #pause(known: KnownSession): Promise<void> {
    const { record } = known;
    await this.#until(() => record.state !== 'running' || (record.hasBegun && askOf(known) !== undefined), beginMs);
    const ask = askOf(known);
    if (record.state !== 'running') {
      return;
    }
    if (ask === undefined || !record.hasBegun) {
      throw debugError('debug.notBegun', { id: known.id });
    }
    const threadId = record.anyThread ?? (await threadsOf(ask))[0];
    await (threadId === undefined ? undefined : askInTime(ask, 'pause', { threadId }));
  }

  async #stopAt(known: KnownSession, ask: AskAdapter, line: number, owner: string): Promise<Disposable> {
    const [top] = await framesOf(ask, await threadOf(known, ask), 1);
    const uri = top === undefined ? undefined : frameUri(top);
    if (uri === undefined) {
      throw debugError('debug.noFile');
    }
    return this.#breakpoints.addTaken(owner, uri, line);
  }

  /** Waits until something of the tree has stopped anew, all of it has ended, or the time is over; and says how it stands. */
  async #afterStop(root: KnownSession, before: ReadonlyMap<KnownSession, number>, told: Told): Promise<DebugStop> {
    const stopped = (): KnownSession | undefined =>
      this.#sessions.treeOf(root).find((each) => each.record.state === 'stopped' && each.record.stops > (before.get(each) ?? 0));
    const isOver = (): boolean => this.#sessions.treeOf(root).every(({ record }) => record.state === 'ended');
    await this.#until(() => stopped() !== undefined || isOver(), told.wait.waitMs, told.signal);
    if (isOver()) {
      await this.#until(() => root.record.exitCode !== undefined, lastWordsMs);
    }
    return this.#describe(stopped() ?? (isOver() ? root : this.#sessions.focusOf(root)), told);
  }

  /** Waits for a condition that a change of a session brings about. To be late is no failure. */
  async #until(isSo: () => boolean, waitMs: number, signal?: AbortSignal): Promise<void> {
    if (isSo()) {
      return;
    }
    const listening = new DisposableStore();
    try {
      const changed = new Promise<void>((resolve) => {
        listening.add(this.#sessions.onDidChange(() => (isSo() ? resolve() : undefined)));
      });
      const waited = atMost(changed, waitMs);
      await (signal === undefined ? waited : untilAborted(waited, signal));
    } finally {
      listening.dispose();
    }
  }

  async #describe(known: KnownSession, { owner, wait }: Told): Promise<DebugStop> {
    const { record } = known;
    const common = { sessionId: known.id, output: this.#output(known, owner) };
    const ask = askOf(known);
    if (record.state !== 'stopped' || ask === undefined) {
      const { exitCode } = rootOf(known).record.exitCode === undefined ? record : rootOf(known).record;
      const state = record.state === 'ended' ? 'ended' : 'running';
      return { ...common, state, reason: reasonOf(known), stack: [], changed: [], ...(exitCode !== undefined && { exitCode }) };
    }
    const stop = record.stop;
    const threadId = await threadOf(known, ask);
    const frames = await framesOf(ask, threadId, fewFrames);
    const exception = stop?.reason === 'exception' ? ((await exceptionOf(ask, threadId)) ?? stop.text) : undefined;
    const [top] = frames;
    const place = top === undefined ? undefined : toFrame(top);
    return {
      ...common,
      state: 'stopped',
      reason: reasonOf(known),
      ...(exception !== undefined && { exception }),
      ...(place?.path !== undefined && { path: place.path, line: place.line }),
      stack: frames.map(toFrame),
      changed: top === undefined || wait.isBrief === true ? [] : await changedIn(known, ask, top),
    };
  }

  /** What the whole tree has written, and what of it is new to this client. */
  #output(known: KnownSession, owner: string): readonly SessionOutput[] {
    return this.#sessions.treeOf(rootOf(known)).map(({ record, told }) => {
      const kept = record.outputSince(0);
      const newFrom = kept.length - record.outputSince(told.get(owner) ?? 0).length;
      told.set(owner, record.written);
      return { kept, newFrom };
    });
  }
}

/** The most characters of what an adapter says about a failure. */
const maxFailure = 2_000;

type ResumeRequest = Pick<StepRequest, 'toLine'> & { readonly action: Exclude<StepRequest['action'], 'stop'> };

interface Told {
  readonly owner: string;
  readonly wait: DebugWait;
  readonly signal: AbortSignal;
}
