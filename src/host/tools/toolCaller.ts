// tools/: the tools of servers, called under consent (this file): what the person is asked about a call and how the answer is kept,
// how results are shown, and what is wrong with a server's tools (checkTools.ts).
import { isAbort, type AppError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { Late } from '../../base/late.ts';
import type { AuditLog, AuditRecord } from '../../consent/audit/auditLog.ts';
import type { Ask, ConsentGate, Decision } from '../../consent/consentGate.ts';
import type { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { OwnCall, OwnCalls } from '../../consent/ownCalls.ts';
import { isOwnPrincipal, type Principal, type RunPress } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { isAllowedByPress } from '../../consent/seenByPerson.ts';
import type { ArgumentRefusal } from '../../contract/forms/formFields.ts';
import type { Asker, CallKnowledge } from '../../contract/questions/callKnowledge.ts';
import { askingUntilFit, askWhileRunning, knowledgeOf, parseArguments, withKnowledge } from './askedCall.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { CallTarget as Target, OutsideTerms } from './callConsent.ts';
import { endingOf, isRefusedOutside, placeOf, placeOfQuestions, saidIn } from './callEnds.ts';
import { callRequest, namesOf, outsideRequest } from './callRequest.ts';
import { CallTimer, maxTimeoutMs } from '../features/callTimer.ts';
import { hostError, timeoutError, toHostError } from '../shared/hostErrors.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import type { RawToolResult, ToolProgress } from '../connection/serverSession.ts';

/** Loaded with the first call. Even what is loaded long since takes `import` a while, and each call would wait for it. */
const consent = new Late(() => import('./callConsent.ts'));

export interface ToolCallRequest {
  readonly principal: Principal;
  /** Who wants the call, as the question names it. */
  readonly asker: Asker;
  /** For a call of the chat: the model or guide that gets the result. */
  readonly destination?: ContentDestination | undefined;
  readonly serverId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** Called when permission is there and the call is on its way, with the arguments as the person left them. */
  readonly onStart?: ((args: JsonObject) => void) | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  readonly onEdits?: OwnCall['onEdits'];
  readonly onReview?: OwnCall['onReview'];
  /** The texts of the conversation that wants the call. The arguments are compared with them, and the result is added to them. */
  readonly heard?: HeardTexts | undefined;
  /** What the person had in view when they pressed Run: they are not asked about that again. */
  readonly press?: RunPress | undefined;
  /** The outside client that calls, on a server that the person offers to it. */
  readonly outside?: OutsideCall | undefined;
  /** The tool of an app, where it is none of the server's own. */
  readonly app?: AppTool | undefined;
  /** Without it, the timeout of the server counts. */
  readonly timeoutMs?: number | undefined;
}

/** A tool that an app offers while it is shown. */
export interface AppTool {
  readonly tool: ToolInfo;
  run(args: JsonObject, signal: AbortSignal): Promise<RawToolResult>;
}

/** How a call of an outside client is decided: by what its credential can be given, and waiting as its protocol allows. */
export interface OutsideCall extends OutsideTerms {
  /** Decides, and rejects with an AppError of the server when the client may not wait any longer or may not call at all. */
  decide(decide: (asked: { readonly signal: AbortSignal; readonly asksEachTime: boolean }) => Promise<Decision>): Promise<Decision>;
}

export type CallOutcome =
  | { readonly kind: 'result'; readonly result: RawToolResult }
  | { readonly kind: 'denied'; readonly by: 'person' | 'ledger' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: AppError };

/** The only way to call a tool: first the permission for exactly this definition of it, then the call. Every ending is an outcome. */
export class ToolCaller {
  readonly #registry: HostRegistry;
  readonly #gate: ConsentGate;
  readonly #audit: Pick<AuditLog, 'write' | 'note'> | undefined;

  /** Without `audit` no call is recorded. */
  constructor(registry: HostRegistry, gate: ConsentGate, audit?: Pick<AuditLog, 'write' | 'note'>) {
    this.#registry = registry;
    this.#gate = gate;
    this.#audit = audit;
  }

  async call(call: ToolCallRequest): Promise<CallOutcome> {
    const started = performance.now();
    const made: Made = { decidedBy: 'nobody', arguments: call.arguments };
    const outcome = await this.#settle(call, made);
    // A refusal was already recorded by whoever decided it.
    if (outcome.kind !== 'denied' && !isRefusedOutside(outcome)) {
      const { outcome: ending, decidedBy = made.decidedBy } = endingOf(outcome);
      const durationMs = performance.now() - started;
      this.#audit?.note(this.#recordOf(call, { arguments: made.arguments, decidedBy, outcome: ending, durationMs }));
    }
    // This comes last, because the call is recorded by now, and a failure here must not change its outcome.
    this.#hear(call, made.arguments, outcome);
    return outcome;
  }

  async #settle(call: ToolCallRequest, made: Made): Promise<CallOutcome> {
    try {
      return await this.#call(call, made);
    } catch (error) {
      if (call.signal.aborted || isAbort(error)) {
        return { kind: 'cancelled' };
      }
      return { kind: 'failed', error: toHostError(error) };
    }
  }

  #hear({ heard, serverId, tool }: ToolCallRequest, args: JsonObject, outcome: CallOutcome): void {
    const said = saidIn(outcome);
    if (said !== undefined) {
      heard?.add({ serverId, server: this.#registry.labelOf(serverId), tool, arguments: args, result: said });
    }
  }

  #recordOf({ principal, serverId, tool }: ToolCallRequest, how: HowRecorded): AuditRecord {
    const { arguments: args, decidedBy, outcome, durationMs } = how;
    const peer = this.#registry.labelOf(serverId);
    return { principal, peer, action: 'callTool', subject: tool, arguments: args, decidedBy, outcome, durationMs };
  }

  async #call(call: ToolCallRequest, made: Made): Promise<CallOutcome> {
    this.#registry.requireTrust();
    const asked = this.#find(call);
    const { ownQuestions } = asked.managed;
    if (ownQuestions?.asksItself(call.tool) === true && isOwnPrincipal(call.principal)) {
      return this.#callAsking(call, call.principal, asked, ownQuestions.calls);
    }
    const decision = await this.#decide(call, asked);
    if (decision.kind === 'denied') {
      return { kind: 'denied', by: decision.by };
    }
    made.decidedBy = decision.by === 'ledger' ? 'remembered' : 'person';
    const edited = decision.by === 'person' ? decision.answer.arguments : undefined;
    const args = edited === undefined ? call.arguments : parseArguments(edited);
    made.arguments = args;
    // The question may have been open for long, and the permission holds only for what it showed.
    const now = this.#find(call);
    if (now.tool !== asked.tool && callRequest(call.principal, now).fingerprint !== callRequest(call.principal, asked).fingerprint) {
      return { kind: 'failed', error: hostError('host.toolChanged', { tool: call.tool }) };
    }
    if (decision.by === 'person' && decision.remember !== undefined) {
      const { keptRequest } = await consent.get();
      await decision.remember(keptRequest(call, now, args));
    }
    return { kind: 'result', result: await this.#run(call, now, args) };
  }

  /** The editor's own server asks about what would be done, in the place of this call. Here only a stored refusal of the tool counts. */
  async #callAsking(call: ToolCallRequest, principal: OwnCall['principal'], target: Target, calls: OwnCalls): Promise<CallOutcome> {
    if (await this.#isRefused(principal, target)) {
      return { kind: 'denied', by: 'ledger' };
    }
    await this.#audit?.write(this.#recordOf(call, { arguments: call.arguments, decidedBy: 'nobody', outcome: 'started' }));
    const state = { isAsking: false, isDenied: false };
    const ask: Ask = async (question, signal) => {
      state.isAsking = true;
      try {
        const answer = await call.ask(await withKnowledge(question, () => this.#knowledgeOf(call, target)), signal);
        state.isDenied ||= answer.choice === 'deny' || answer.choice === 'denyAlways' || answer.choice === 'cancel';
        return answer;
      } finally {
        state.isAsking = false;
      }
    };
    const own = calls.begin({ principal, asker: call.asker, ask, onEdits: call.onEdits, onReview: call.onReview });
    try {
      const result = await this.#run(call, target, call.arguments, { id: own.id, isAsking: () => state.isAsking });
      return state.isDenied && result.isError ? { kind: 'denied', by: 'person' } : { kind: 'result', result };
    } finally {
      own.dispose();
    }
  }

  /** Whether a stored answer refuses the tool; a stored permission does not count here. */
  async #isRefused(principal: Principal, target: Target): Promise<boolean> {
    const request = callRequest(principal, target);
    if (this.#gate.verdict(request).kind !== 'deny') {
      return false;
    }
    return (await this.#gate.checkQuietly(request, namesOf(target))) === 'deny';
  }

  #decide(call: ToolCallRequest, target: Target): Promise<Decision | typeof pressedRun> {
    const { outside } = call;
    if (outside === undefined) {
      return this.#check(call, target);
    }
    return outside.decide(async ({ signal, asksEachTime }) => {
      const decision = await this.#check({ ...call, signal, outside: { ...outside, asksEachTime } }, target);
      return decision.by === 'press' ? refusedBefore : decision;
    });
  }

  async #check(call: ToolCallRequest, target: Target): Promise<Decision | typeof pressedRun> {
    // What a question tells is loaded with the first call, which is long after the window opens.
    const { callInquiry, isAskedAlone, isOwnReading } = await consent.get();
    if (isAskedAlone(call, target)) {
      const request = outsideRequest(call.principal, target, call.outside?.session ?? []);
      // A remembered answer settles the call, so no question is prepared.
      if (this.#gate.verdict(request).kind !== 'ask') {
        call.signal.throwIfAborted();
        const verdict = await this.#gate.checkQuietly(request, namesOf(target), isOwnReading(target));
        if (verdict !== 'ask') {
          return verdict === 'allow' ? allowedBefore : refusedBefore;
        }
      }
    }
    if (call.press !== undefined && (await this.#isPressed(call, call.press, target, isOwnReading(target)))) {
      return pressedRun;
    }
    const { detail, ...inquiry } = callInquiry(call, target, this.#gate);
    // The knowledge is gathered only when somebody will read it.
    const isAsked = detail.kind === 'callTool' && this.#gate.verdictOnCall(inquiry.request, inquiry.ruled).kind === 'ask';
    const { session } = target.managed.connection;
    return this.#gate.check({
      ...inquiry,
      detail: isAsked ? { ...detail, knows: await this.#knowledgeOf(call, target) } : detail,
      ask: askingUntilFit(askWhileRunning(call.ask, target.server, session?.closed ?? Promise.resolve()), {
        refusalOf: async (args) => session?.argumentsRefusal(target.tool, args, call.signal),
        knowledgeOf: (args) => this.#knowledgeOf(call, target, args),
      }),
      signal: call.signal,
    });
  }

  #isPressed(call: ToolCallRequest, press: RunPress, target: Target, isReading: boolean): Promise<boolean> {
    call.signal.throwIfAborted();
    return isAllowedByPress(this.#gate, {
      request: callRequest(call.principal, target),
      press,
      arguments: argumentsShown(call.arguments),
      names: namesOf(target),
      isReading,
    });
  }

  #knowledgeOf({ heard, arguments: given }: ToolCallRequest, target: Target, args = given): Promise<CallKnowledge> {
    return knowledgeOf(placeOf(target), target, args, heard);
  }

  async #run(call: ToolCallRequest, { managed, tool }: Target, args: JsonObject, own?: OwnRun): Promise<RawToolResult> {
    const session = managed.connection.session;
    if (session === undefined) {
      throw hostError('host.notRunning', { server: this.#registry.labelOf(call.serverId) });
    }
    call.signal.throwIfAborted();
    call.onStart?.(args);
    const timeoutMs = call.timeoutMs ?? managed.timeoutMs;
    const features = this.#registry.features(call.serverId);
    let isPausing = false;
    const timer = new CallTimer(timeoutMs, () => isPausing || features.isWaitingForPerson || own?.isAsking() === true, call.signal);
    const open = features.beginCall(tool.name, placeOfQuestions(call));
    try {
      if (call.app !== undefined) {
        return await call.app.run(args, timer.signal);
      }
      const result = await session.callTool(tool, args, {
        timer,
        timeoutMs: maxTimeoutMs, // the timer above decides
        onProgress: (progress) => {
          timer.restart();
          call.onProgress?.(progress);
        },
        onPause: (isNow) => (isPausing = isNow),
        ownCallId: own?.id,
      });
      open.end('answered');
      return result;
    } catch (error) {
      if (timer.hasExpired && !call.signal.aborted) {
        throw timeoutError(timeoutMs);
      }
      throw error;
    } finally {
      open.end('givenUp');
      timer.dispose();
    }
  }

  /**
   * The definition of a tool that a press of Run would be bound to. Undefined where Run is no answer: the tool is not there now, or it
   * asks by itself about what it would do.
   */
  definitionFor(principal: Principal, { serverId, tool: name }: Pick<ToolCallRequest, 'serverId' | 'tool'>): ShownDefinition | undefined {
    const managed = this.#registry.find(serverId);
    const tool = managed?.connection.session === undefined ? undefined : managed.connection.tools.find((each) => each.name === name);
    if (managed === undefined || tool === undefined || managed.ownQuestions?.asksItself(name) === true) {
      return undefined;
    }
    const target = { serverId, server: this.#registry.labelOf(serverId), identity: managed.identity, tool, risk: managed.riskOf(name) };
    const request = callRequest(principal, target);
    return { fingerprint: request.fingerprint, isRead: this.#gate.read.has(request) };
  }

  /** Why the tool's schema refuses arguments, before anything is asked or called. Empty when that cannot be checked now. */
  async refusalsOf(
    key: Pick<ToolCallRequest, 'serverId' | 'tool'>,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<readonly ArgumentRefusal[]> {
    const connection = this.#registry.find(key.serverId)?.connection;
    const tool = connection?.tools.find(({ name }) => name === key.tool);
    const refusal = tool && (await connection?.session?.argumentsRefusal(tool, args, signal));
    return refusal?.places ?? [];
  }

  #find({ principal, serverId, tool: name, app }: ToolCallRequest): Target {
    const managed = this.#registry.find(serverId);
    const server = this.#registry.labelOf(serverId);
    if (managed?.connection.session === undefined) {
      throw hostError('host.notRunning', { server });
    }
    const tool = app?.tool ?? managed.connection.tools.find((each) => each.name === name);
    if (tool === undefined || !isCallableBy(principal, tool)) {
      throw hostError('host.unknownTool', { server, tool: name });
    }
    const risk = app === undefined ? managed.riskOf(name) : 'unknown';
    return { serverId, server, identity: managed.identity, managed, tool, risk, places: this.#registry.places };
  }
}

/** Whether a tool is there for whoever calls it: a model has none that is for apps only, and an app none that is not for apps. */
function isCallableBy(principal: Principal, { app }: ToolInfo): boolean {
  const isByApp = principal.startsWith('app:');
  return isByApp ? app?.isForApp !== false : principal !== 'chat' || app?.isForModel !== false;
}

/** A definition that a page shows. */
export interface ShownDefinition {
  readonly fingerprint: string;
  /** Whether the person has read exactly this to its end in this window, and allowed it. */
  readonly isRead: boolean;
}

/** The fingerprint of arguments, for a press that covers these and no others. */
export function argumentsShown(args: JsonObject): string {
  return fingerprintOf({ arguments: args });
}

const allowedBefore: Decision = { kind: 'allowed', by: 'ledger' };
const refusedBefore: Decision = { kind: 'denied', by: 'ledger' };
/** The person was not asked: they pressed Run with all of it in view. */
const pressedRun = { kind: 'allowed', by: 'press' } as const;

/** What a record of a call says besides the names. */
type HowRecorded = Pick<AuditRecord, 'arguments' | 'decidedBy' | 'outcome' | 'durationMs'>;

/** How a call came to be made. */
interface Made {
  decidedBy: AuditRecord['decidedBy'];
  /** The arguments as they were sent: the person may have changed them. */
  arguments: JsonObject;
}

/** A call whose questions the editor's own server asks. */
interface OwnRun {
  readonly id: string;
  /** Whether a question is open. The time that a person takes does not count. */
  readonly isAsking: () => boolean;
}
