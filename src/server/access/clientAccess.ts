import { AppError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Role } from '../../contract/questions.ts';
import type { ActAnswer, ActingClient, ClientApproval, ConnectingClient, RoleCall } from '../ports/clientApproval.ts';
import type { ActRequest } from './actRequest.ts';
import { ConnectApproval, deniedSentence, type ApprovalOptions, type ApprovalState } from './connectApproval.ts';
import { SharedQuestions } from './sharedQuestions.ts';
import { waitingSentence, type Waiter } from './waiter.ts';

/** What a request needs to be let through. */
export interface AccessNeed {
  readonly role: Role;
  /** Set for a tool call whose role is asked about here and not by the tool itself. */
  readonly call?: RoleCall | undefined;
  /** Leaves the role to `confirm`. */
  readonly confirmsItself?: boolean | undefined;
}

export interface AccessRefusal {
  readonly reason: 'waiting' | 'denied' | 'role' | 'policy';
  readonly sentence: string;
}

export interface ClientAccessOptions extends Omit<ApprovalOptions, 'ask'> {
  readonly approval: ClientApproval;
  /** Asked for when a question is shown: a client names itself after it has connected. */
  readonly client: () => ConnectingClient;
}

/** What one session, one WebSocket, or all stateless requests of one credential may do, and the questions that decide it. */
export class ClientAccess implements Disposable {
  readonly #options: ClientAccessOptions;
  readonly #connect: ConnectApproval;
  readonly #questions: SharedQuestions;
  #raised: Role | undefined;

  constructor(options: ClientAccessOptions, initial: ApprovalState) {
    this.#options = options;
    const { approval, client } = options;
    this.#connect = new ConnectApproval({ ...options, ask: (signal) => approval.ask(client(), signal) }, initial);
    this.#questions = new SharedQuestions(options.clock, options.timings);
  }

  get state(): ApprovalState {
    const { state } = this.#connect;
    return state.kind === 'allowed' && this.#raised !== undefined ? { kind: 'allowed', role: this.#raised } : state;
  }

  /** At once, or `undefined` when the person has to be asked: most requests never wait. */
  admitNow({ role, confirmsItself = false }: AccessNeed): 'allowed' | undefined {
    const { state } = this;
    return state.kind === 'allowed' && (confirmsItself || isEnough(state.role, role)) ? 'allowed' : undefined;
  }

  async admit(need: AccessNeed, waiter: Waiter): Promise<'allowed' | AccessRefusal> {
    const admission = await this.#connect.admit(waiter);
    if (admission.kind !== 'allowed') {
      const sentence = admission.kind === 'waiting' ? waitingSentence : deniedSentence;
      return { reason: admission.kind, sentence };
    }
    if (this.admitNow(need) !== undefined) {
      return 'allowed';
    }
    const { call } = need;
    if (call === undefined) {
      return { reason: 'role', sentence: `needs the role ${need.role}` };
    }
    const key = `role ${canonicalJson(call)}`;
    const answer = await this.#questions.join(key, waiter, (signal) => this.#options.approval.raiseRole(this.#actor(), call, signal));
    this.#apply(answer, need.role);
    return answer === 'denied' ? { reason: 'denied', sentence: deniedSentence } : 'allowed';
  }

  async confirm(act: ActRequest, waiter: Waiter): Promise<void> {
    const key = `act ${canonicalJson(act)}`;
    const answer = await this.#questions.join(key, waiter, (signal) => this.#options.approval.confirm(this.#actor(), act, signal));
    this.#apply(answer, act.role);
    if (answer === 'denied') {
      throw new AppError('server.denied', deniedSentence);
    }
  }

  joinQuestion<T>(key: string, waiter: Waiter, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#questions.join(`own ${key}`, waiter, ask);
  }

  dispose(): void {
    this.#connect.dispose();
    this.#questions.dispose();
  }

  #apply(answer: ActAnswer, role: Role): void {
    if (answer === 'roleRaised') {
      this.#raised = role;
      this.#options.onDidChange();
    }
  }

  #actor(): ActingClient {
    const { state } = this;
    return { ...this.#options.client(), role: state.kind === 'allowed' ? state.role : 'reader' };
  }
}

const rank: Readonly<Record<Role, number>> = { reader: 0, editor: 1, runner: 2 };

export function isEnough(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed];
}
