import { hasCode, type AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { canonicalJson } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import { describePolicyProblem } from '../../contract/settings/settingProblems.ts';
import type { Clock } from '../../base/clock.ts';
import { clientError, clientSentence } from '../errors/serverErrors.ts';
import type { RateLimiter, ServerTimings } from './limits.ts';
import type {
  ActAnswer,
  ActingClient,
  ActPermission,
  ActRequest,
  ClientApproval,
  ConnectingClient,
  OfferedDecision,
  OwnAnswer,
  RoleCall,
} from './clientApproval.ts';
import type { ConnectAdmission, ApprovalState, ConnectApproval } from './connectApproval.ts';
import type { AccessPolicy, PolicyVerdict } from './policy.ts';
import type { PolicySubject } from './policyRules.ts';
import { higherOf, isEnough } from './roles.ts';
import { SharedQuestions, type Waiter } from './sharedQuestions.ts';
import type { Viewer, ViewerRights } from '../seen/viewer.ts';

/** What a request needs in order to be admitted. */
export interface AccessNeed {
  readonly role: Role;
  /** The tool call, if the role is asked about here and not by the tool itself. */
  readonly call?: RoleCall | undefined;
  /** Whether the tool itself asks, by `confirm`; then the role is not checked here. */
  readonly confirmsItself?: boolean | undefined;
  /** The tool, the resource and the paths, for the policy. */
  readonly tool?: NeededTool | undefined;
  readonly resource?: string | undefined;
  /** The names of the server that the person offers and that would be asked. */
  readonly server?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  /** Whether it counts as an act, although it is no tool: another server does something for it. */
  readonly countsAsAct?: boolean | undefined;
}

interface NeededTool {
  readonly name: string;
  readonly acts: boolean;
  readonly server?: readonly string[] | undefined;
}

export interface AccessRefusal {
  readonly reason: 'waiting' | 'denied' | 'role' | 'policy' | 'rateLimited';
  readonly sentence: string;
}

export interface ClientAccessOptions {
  readonly viewer: () => Viewer;
  /** Called when a question is shown, because a client names itself only after it has connected. */
  readonly client: () => ConnectingClient;
  readonly connect: ConnectApproval;
  /** Called once, when this access ends. */
  readonly release: () => void;
  readonly onDidChange: () => void;
  /** Called when a question that `joinQuestion` opened is answered, whether or not anybody still waits for it. */
  readonly didReview?: ((viewer: Viewer, key: string, answer: unknown) => void) | undefined;
  readonly approval: ClientApproval;
  readonly policy: AccessPolicy;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly timings: ServerTimings;
}

/** Decides what one session, one WebSocket, or all stateless requests of one credential may do, and asks the person where necessary. */
export class ClientAccess implements Disposable {
  readonly #options: ClientAccessOptions;
  readonly #owned = new DisposableStore();
  readonly #questions: SharedQuestions;
  readonly #changed = this.#owned.add(new Emitter<void>());

  /** Fires when the approval, the role or the policy changes. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ClientAccessOptions) {
    this.#options = options;
    const isOutside = (): boolean => options.viewer().credential.kind !== 'chat';
    this.#questions = this.#owned.add(new SharedQuestions(options.clock, options.timings, isOutside));
    const tell = (): void => {
      options.onDidChange();
      this.#changed.fire();
    };
    this.#owned.add(options.connect.onDidChange(tell));
    this.#owned.add(options.policy.onDidChange(tell));
  }

  /** The approval, with a role no higher than the token was made for or than can be given to this credential. */
  get state(): ApprovalState {
    const { state } = this.#options.connect;
    const most = this.#canBeRemembered() ? this.#highestRole() : 'reader';
    return state.kind === 'allowed' && !isEnough(most, state.role) ? { kind: 'allowed', role: most } : state;
  }

  /** Whether the person sees the connect question of this client now, which would disappear with the client. */
  get hasOpenQuestion(): boolean {
    return this.#options.viewer().credential.kind === 'windowToken' && this.#options.connect.isOpen;
  }

  /** Whether the policy denies a tool whatever its arguments are; then the tool is not listed. */
  hides(tool: NeededTool): boolean {
    return this.#options.policy.hides(this.#subject({ tool }));
  }

  /** Whether the policy denies a prompt or a resource of an offered server; then it is not listed. */
  hidesContent(need: Pick<AccessNeed, 'resource' | 'server'>): boolean {
    return this.#options.policy.hides(this.#subject(need));
  }

  /** Whether the client may still be told of changes to a resource it subscribed to: its role or the policy may have changed. */
  mayHearOf({ uri, ...need }: Pick<AccessNeed, 'role' | 'paths' | 'server'> & { readonly uri: string }): boolean {
    return this.#hasRole(need) && this.#verdict({ ...need, resource: uri }) !== 'deny';
  }

  /** Admits a request at once, as most are; `undefined` means that somebody must be asked or the request refused, see `admit`. */
  admitNow(need: AccessNeed): 'allowed' | undefined {
    const isReady = this.#hasRole(need) && this.#verdict(need) === undefined && this.#isWithinRate(need);
    return isReady ? 'allowed' : undefined;
  }

  async admit(need: AccessNeed, waiter: Waiter): Promise<'allowed' | AccessRefusal> {
    if (!this.#isWithinRate(need)) {
      return { reason: 'rateLimited', sentence: clientSentence('server.rateLimited') };
    }
    const refusal = await this.#connect(need, waiter);
    if (refusal !== undefined) {
      return refusal;
    }
    // The policy is checked again: a rule may depend on the role that the person has just given.
    const verdict = this.#verdict(need);
    if (verdict === 'deny') {
      return this.#deniedByPolicy();
    }
    const call = need.call ?? asRead(need);
    const isAsked = verdict === 'ask' && need.confirmsItself !== true && call !== undefined;
    return this.#hasRole(need) && !isAsked ? 'allowed' : this.#askFor(need, isAsked ? call : need.call, waiter);
  }

  /**
   * Lets a client in before its arguments are read, which can be costly; undefined if it is in already. Rules of the policy about
   * paths are not looked at yet, nor is the rate: `admit` follows.
   */
  letIn(need: Pick<AccessNeed, 'role' | 'tool'>, waiter: Waiter): Promise<AccessRefusal | undefined> | undefined {
    return this.state.kind === 'allowed' ? undefined : this.#connect(need, waiter);
  }

  /** Asks about exactly what a tool would do; throws if the person or the policy does not allow it. */
  async confirm(act: ActRequest, waiter: Waiter): Promise<ActPermission> {
    const asksEachTime = this.#demandNotDenied(act) === 'ask';
    if (!isEnough(this.#highestRole(), act.role)) {
      throw clientError('server.roleBeyondToken', { role: act.role });
    }
    const { answer, named } = await this.#askToAct(act, asksEachTime, waiter);
    if (answer === 'denied') {
      throw clientError('server.denied');
    }
    // The question may have been open for long: the policy may have changed.
    this.#demandNotDenied(act);
    return answer === 'allowedAfterSaving' ? { afterSaving: named } : 'asItIs';
  }

  joinQuestion<T>(key: string, waiter: Waiter, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#questions.join(`own ${key}`, waiter, async (signal) => {
      const answer = await ask(signal);
      this.#options.didReview?.(this.#options.viewer(), key, answer);
      return answer;
    });
  }

  /** Waits for what others decide about a call of a server that the person offers; see `CallContext.decideElsewhere`. */
  async decideElsewhere<T>({ tool, paths, key, decide, isForOne }: OfferedDecision<T>, waiter: Waiter): Promise<T> {
    const { name, resource, server } = tool;
    const need: AccessNeed = { role: 'runner', tool: name === undefined ? undefined : { name, acts: true }, resource, server, paths };
    const asksEachTime = this.#demandAllowed(need) === 'ask';
    const value = await this.#questions.join(`server ${key}`, waiter, (signal) => decide({ signal, asksEachTime }), isForOne);
    // The question may have been open for long: the policy or the role may have changed.
    this.#demandAllowed(need);
    return value;
  }

  dispose(): void {
    if (!this.#owned.isDisposed) {
      this.#owned.dispose();
      this.#options.release();
    }
  }

  async #connect(need: AccessNeed, waiter: Waiter): Promise<AccessRefusal | undefined> {
    if (this.#verdict(need) === 'deny') {
      return this.#deniedByPolicy();
    }
    if (!isEnough(this.#highestRole(), need.role)) {
      return { reason: 'role', sentence: clientSentence('server.roleBeyondToken', { role: need.role }) };
    }
    const admission = await this.#options.connect.admit(waiter);
    return admission.kind === 'allowed' ? undefined : { reason: admission.kind, sentence: sentenceOf(admission) };
  }

  /** Asks the question. For the chat it is a card in the conversation that waits for as long as its call does. */
  async #askToAct(act: ActRequest, asksEachTime: boolean, waiter: Waiter): Promise<AnsweredAct> {
    const { approval, viewer } = this.#options;
    const named = act.unsaved ?? [];
    if (viewer().credential.kind === 'chat') {
      return { answer: await approval.confirmOwn({ callId: waiter.ownCallId, act, asksEachTime }, waiter.signal), named };
    }
    const actor = this.#actor(asksEachTime);
    // Unsaved files are not part of the key: they come and go while the person thinks, and a retry is still the same act.
    const key = `act ${canonicalJson({ ...act, unsaved: undefined })}`;
    const ask = async (signal: AbortSignal): Promise<ClientAnswer> => ({ answer: await approval.confirm(actor, act, signal), named });
    const answered = await this.#askOnce(key, waiter, ask);
    this.#apply(answered.answer, act.role);
    return answered;
  }

  #demandNotDenied(act: ActRequest): PolicyVerdict {
    return this.#demandByPolicy({ tool: { name: act.tool, acts: true }, paths: pathsOf(act) });
  }

  #demandAllowed(need: AccessNeed): PolicyVerdict {
    if (!this.#hasRole(need)) {
      throw clientError('server.role', { role: need.role });
    }
    return this.#demandByPolicy(need);
  }

  #demandByPolicy(need: SubjectOfNeed): PolicyVerdict {
    const { policy } = this.#options;
    const verdict = policy.isEmpty ? undefined : policy.verdict(this.#subject(need));
    if (verdict === 'deny') {
      throw this.#policyError();
    }
    return verdict;
  }

  async #askFor(need: AccessNeed, call: RoleCall | undefined, waiter: Waiter): Promise<'allowed' | AccessRefusal> {
    if (call === undefined) {
      return { reason: 'role', sentence: clientSentence('server.role', { role: need.role }) };
    }
    const actor = this.#actor(true);
    try {
      const ask = async (signal: AbortSignal): Promise<ClientAnswer> => ({
        answer: await this.#options.approval.raiseRole(actor, call, signal),
        named: [],
      });
      const { answer } = await this.#askOnce(`role ${canonicalJson(call)}`, waiter, ask);
      this.#apply(answer, need.role);
      if (answer === 'denied') {
        return { reason: 'denied', sentence: clientSentence('server.denied') };
      }
      // The question may have been open for long: the policy may have changed.
      return this.#verdict(need) === 'deny' ? this.#deniedByPolicy() : 'allowed';
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** Asks, or joins the open question. "Allow once" admits one call, however many identical calls wait. */
  #askOnce(key: string, waiter: Waiter, ask: (signal: AbortSignal) => Promise<ClientAnswer>): Promise<ClientAnswer> {
    return this.#questions.join(key, waiter, ask, ({ answer }) => answer === 'allowedOnce' || answer === 'allowedAfterSaving');
  }

  #hasRole({ role, confirmsItself = false }: AccessNeed): boolean {
    const { state } = this;
    return state.kind === 'allowed' && (confirmsItself || isEnough(state.role, role));
  }

  #verdict(need: AccessNeed): PolicyVerdict {
    const { policy, viewer } = this.#options;
    if (policy.isEmpty) {
      return undefined;
    }
    const verdict = policy.verdict(this.#subject(need));
    // The chat is not asked here: the host asks about what it reads, and tools ask about what it does, with more to show.
    const isAskedElsewhere = viewer().credential.kind === 'chat';
    return verdict === 'ask' && isAskedElsewhere ? undefined : verdict;
  }

  #subject({ tool, resource, server = tool?.server, paths = [] }: SubjectOfNeed): PolicySubject {
    const { credential, transport } = this.#options.viewer();
    const { state } = this;
    const role = state.kind === 'allowed' ? state.role : undefined;
    return { client: credential.id, role, transport, tool, resource, server, paths };
  }

  #highestRole(): Role {
    const { credential } = this.#options.viewer();
    const roles = credential.kind === 'chat' ? undefined : credential.roles;
    return roles === undefined ? 'runner' : roles.reduce(higherOf, 'reader');
  }

  #isWithinRate({ tool, countsAsAct }: AccessNeed): boolean {
    const { credential, sessionId } = this.#options.viewer();
    if ((tool?.acts !== true && countsAsAct !== true) || credential.kind === 'chat') {
      return true;
    }
    // Many programs share the window token, so each of its sessions has a limit of its own.
    const key = credential.kind === 'windowToken' ? `${credential.id} ${sessionId ?? ''}` : credential.id;
    return this.#options.limiter.take(key, 1);
  }

  #deniedByPolicy(): AccessRefusal {
    return { reason: 'policy', sentence: this.#policyError().message };
  }

  #policyError(): AppError {
    const { problem } = this.#options.policy;
    return problem === undefined
      ? clientError('server.policy')
      : clientError('server.policyMalformed', { problem: describePolicyProblem(problem) });
  }

  #apply(answer: ActAnswer, role: Role): void {
    if (answer === 'roleRaised' && this.#canBeRemembered()) {
      this.#options.connect.raise(role);
    }
  }

  #actor(asksEachTime: boolean): ActingClient {
    const { state } = this;
    const role = state.kind === 'allowed' ? state.role : 'reader';
    return { ...this.#options.client(), role, canBeRemembered: this.#canBeRemembered(), asksEachTime };
  }

  #canBeRemembered(): boolean {
    const { credential, sessionId } = this.#options.viewer();
    return credential.kind !== 'windowToken' || sessionId !== undefined;
  }
}

type SubjectOfNeed = Pick<AccessNeed, 'tool' | 'resource' | 'server' | 'paths'>;

/** An answer with the unsaved files that the question named; a retry that joins the question may know of others. */
interface AnsweredAct {
  readonly answer: ActAnswer | OwnAnswer;
  readonly named: readonly string[];
}

type ClientAnswer = AnsweredAct & { readonly answer: ActAnswer };

/** The rights of a client as the catalog sees them. `access` is a function because the access is made after the viewer. */
export function rightsOf(access: () => Pick<ClientAccess, 'state' | 'onDidChange'> | undefined): ViewerRights {
  return {
    role: () => {
      const state = access()?.state;
      return state?.kind === 'allowed' ? state.role : undefined;
    },
    onDidChange: (listener) => access()?.onDidChange(listener) ?? { dispose: () => undefined },
  };
}

function sentenceOf(admission: Exclude<ConnectAdmission, { kind: 'allowed' }>): string {
  if (admission.kind === 'denied') {
    return clientSentence(admission.isStored ? 'server.deniedBefore' : 'server.denied');
  }
  const seconds = Math.ceil(admission.pauseMs / 1_000);
  return seconds === 0 ? clientSentence('server.waiting') : clientSentence('server.waitingAfterDenial', { seconds });
}

function asRead({ resource, role }: AccessNeed): RoleCall | undefined {
  return resource === undefined ? undefined : { tool: resource, role, arguments: undefined };
}

function refusalOf(error: unknown): AccessRefusal {
  if (hasCode(error, 'server.waiting')) {
    return { reason: 'waiting', sentence: clientSentence('server.waiting') };
  }
  throw error;
}

function pathsOf({ what }: ActRequest): readonly string[] {
  return what.kind === 'save' || what.kind === 'codeAction' ? [what.path] : [];
}
