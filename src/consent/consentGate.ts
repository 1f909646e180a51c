// consent/: what the person allowed and refused. A request has a fingerprint of exactly what is shown; consentModel.ts compares it with
// the answers that ledger.ts keeps, and a question that waits for the person is in openQuestions.ts. No dialogs and no files here: both
// are ports. This file asks the ledger first and then the person.
import { randomUUID } from 'node:crypto';
import { isAbort, unreachable } from '../base/errors.ts';
import type { Event } from '../base/events.ts';
import type { JsonObject } from '../base/json.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { Choice, Difference, PersonAnswer, Question, QuestionDetail } from '../contract/questions/questions.ts';
import type { Role } from '../contract/questions/rolesAndClaims.ts';
import type { AuditLog } from './audit/auditLog.ts';
import { type MadeDecision, type NamedTool, recordDecision } from './audit/decisionRecords.ts';
import { type RememberedAnswer, type AnswerScope, type ConsentRequest, decide, decideWithin, type ConsentVerdict } from './consentModel.ts';
import { differencesBetween } from './fingerprint.ts';
import type { Ledger } from './ledger.ts';

/** Shows a question somewhere and resolves to the answer. Rejects with an AbortError when `signal` withdraws it. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<PersonAnswer>;

export interface ConsentInquiry {
  readonly request: ConsentRequest;
  /** What is wanted now, when `request` covers more than that. Earlier answers about this alone count too. */
  readonly exactly?: ConsentRequest | undefined;
  /** What "Always deny" is remembered for, when that is wider than `request`. */
  readonly refusal?: ConsentRequest | undefined;
  /** Set for a question that can be answered for all tools of a server. */
  readonly allTools?: AllToolsScope | undefined;
  readonly detail: QuestionDetail;
  /** Finds what differs from an earlier permission, when not all of it may be shown. */
  readonly differencesFrom?: ((previous: JsonObject) => Difference[]) | undefined;
  /** The answers that the person can choose, safe ones first. */
  readonly choices: readonly Choice[];
  readonly ask: Ask;
  /** Where each answer holds, for questions whose "always" means less than everywhere. */
  readonly scopes?: Readonly<Partial<Record<Choice, AnswerScope>>> | undefined;
  /** The caller remembers an allow itself, once what was allowed has succeeded; see `Decision`. */
  readonly remembersLater?: boolean | undefined;
  /** An earlier allow does not count, but an earlier refusal does. */
  readonly asksAnew?: boolean | undefined;
  /** What is wanted only reads from the editor; see `MadeDecision`. */
  readonly isReading?: boolean | undefined;
  /** Aborted when the permission is not wanted any more; the question is then withdrawn. */
  readonly signal: AbortSignal;
}

export type Decision =
  | { readonly kind: 'allowed'; readonly by: 'ledger'; readonly role?: Role }
  | {
      readonly kind: 'allowed';
      readonly by: 'person';
      readonly answer: PersonAnswer;
      /** Remembers the answer for this request; set with `remembersLater` when the answer holds for longer than once. */
      readonly remember?: ((request: ConsentRequest) => Promise<void>) | undefined;
    }
  | { readonly kind: 'denied'; readonly by: 'ledger' | 'person' };

/** What an answer for all tools of a server covers. */
export interface AllToolsScope {
  /** What an allow covers beside the tool in question: the other tools, as the question shows them. */
  readonly others: readonly ConsentRequest[];
  /** What a refusal covers: every tool that the server has or will have. */
  readonly server: ConsentRequest;
}

/** A decision, and what is left to do once it is on record. */
interface Decided {
  readonly decision: Decision;
  /** What the person decided beyond the request itself. */
  readonly wider?: Pick<MadeDecision, 'request'> | undefined;
  readonly remember?: (request: ConsentRequest) => Promise<void>;
}

/**
 * Decides by the remembered answers or, when they do not settle it, by asking the person. Starting a server, calling its tools, what
 * servers ask of this side, and letting an outside client in are decided here. Not all consent is: what a connected client may do is
 * decided by its role and the policy (server/access), whose questions come here only when the answer may hold for the session, and a
 * proposed change of text is decided by its review. Dialogs only collect answers.
 */
export class ConsentGate implements Disposable {
  readonly #ledger: Ledger;
  readonly #audit: Pick<AuditLog, 'write' | 'note'> | undefined;
  readonly #lifetime = new DisposableStore();
  readonly #waiting = new Set<() => void>();
  readonly #read = new ReadSubjects();
  #verdicts: { readonly of: readonly RememberedAnswer[]; readonly made: WeakMap<ConsentRequest, ConsentVerdict> } = {
    of: [],
    made: new WeakMap(),
  };

  /** Fired when the remembered answers have changed. */
  readonly onDidChange: Event<void>;

  /** Without `audit` no decision is recorded. */
  constructor(ledger: Ledger, audit?: Pick<AuditLog, 'write' | 'note'>) {
    this.#ledger = ledger;
    this.#audit = audit;
    this.onDidChange = ledger.onDidChange;
    // An answer given elsewhere (another card, another window) may settle a question that is still open here.
    this.#lifetime.add(ledger.onDidChange(() => [...this.#waiting].forEach((reconsider) => reconsider())));
  }

  /**
   * What the remembered answers say about a request. It is computed once while the answers stay the same, because one call needs it
   * several times.
   */
  verdict(request: ConsentRequest): ConsentVerdict {
    const answers = this.#ledger.answers();
    if (this.#verdicts.of !== answers) {
      this.#verdicts = { of: answers, made: new WeakMap() };
    }
    let verdict = this.#verdicts.made.get(request);
    if (verdict === undefined) {
      verdict = decide(request, answers);
      this.#verdicts.made.set(request, verdict);
    }
    return verdict;
  }

  /**
   * Whether a permission was taken back or refused meanwhile. One that was given anew for something else does not count, because
   * another window may have another folder.
   */
  isRevoked(request: ConsentRequest): boolean {
    const verdict = this.verdict(request);
    return verdict.kind === 'deny' || (verdict.kind === 'ask' && verdict.why === 'new');
  }

  /**
   * Decides, and asks the person if that is needed. Rejects with an AbortError when `signal` fires first, and with `audit.notWritten`
   * when an allow cannot be recorded.
   */
  async check(inquiry: ConsentInquiry): Promise<Decision> {
    const { decision, wider, remember } = await this.#decide(inquiry);
    const { request, detail, isReading } = inquiry;
    const made = { detail, isReading, outcome: decision.kind, by: decision.by };
    try {
      await this.record({ request, ...made, isReading: isReading === true && remember === undefined });
    } catch (error) {
      if (isReading !== true) {
        throw error;
      }
      // Reading is not refused because of it, but an answer that is not on record holds only this once.
      await this.record({ request, ...made });
      return decision;
    }
    if (wider !== undefined) {
      await this.record({ ...wider, ...made });
    }
    // Writing the record may take a while, in which the permission can be taken back.
    if (decision.kind === 'allowed' && decision.by === 'ledger' && this.#verdictOn(inquiry).kind !== 'allow') {
      return this.check(inquiry);
    }
    // Only what is on record may be remembered.
    if (inquiry.remembersLater === true && decision.kind === 'allowed' && decision.by === 'person') {
      return { ...decision, remember };
    }
    await remember?.(request);
    return decision;
  }

  /** Decides by the remembered answers alone, and records the decision if there is one. */
  async checkQuietly(request: ConsentRequest, detail: QuestionDetail | NamedTool, isReading = false): Promise<ConsentVerdict['kind']> {
    const verdict = this.verdict(request);
    if (verdict.kind !== 'ask') {
      this.#ledger.markUsed(verdict.answer);
      await this.record({ request, detail, isReading, outcome: verdict.kind === 'allow' ? 'allowed' : 'denied', by: 'ledger' });
    }
    // Writing the record may take a while, in which the permission can be taken back.
    return verdict.kind === 'allow' ? this.verdict(request).kind : verdict.kind;
  }

  /** Records a decision that was made elsewhere. Rejects with `audit.notWritten` when an allow cannot be recorded. */
  async record(decision: MadeDecision): Promise<void> {
    if (this.#audit !== undefined) {
      await recordDecision(this.#audit, decision);
    }
  }

  async #decide(inquiry: ConsentInquiry): Promise<Decided> {
    inquiry.signal.throwIfAborted();
    const verdict = this.#verdictOn(inquiry);
    if (verdict.kind !== 'ask') {
      this.#ledger.markUsed(verdict.answer);
    }
    if (verdict.kind === 'deny') {
      return { decision: { kind: 'denied', by: 'ledger' } };
    }
    if (verdict.kind === 'allow') {
      const { role } = verdict.answer;
      return { decision: { kind: 'allowed', by: 'ledger', ...(role === undefined ? {} : { role }) } };
    }
    const answer = await this.#askPerson(inquiry, verdict);
    return answer === 'settled' ? this.#decide(inquiry) : this.#keep(inquiry, answer);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #verdictOn({ request, exactly, asksAnew = false }: ConsentInquiry): ConsentVerdict {
    const verdict = exactly === undefined ? this.verdict(request) : decideWithin(exactly, request, this.#ledger.answers());
    return asksAnew && verdict.kind === 'allow' ? { kind: 'ask', why: 'new' } : verdict;
  }

  async #askPerson(inquiry: ConsentInquiry, verdict: ConsentVerdict & { kind: 'ask' }): Promise<PersonAnswer | 'settled'> {
    const settledElsewhere = new AbortController();
    const reconsider = (): void => {
      if (this.#verdictOn(inquiry).kind !== 'ask') {
        settledElsewhere.abort();
      }
    };
    this.#waiting.add(reconsider);
    try {
      return await inquiry.ask(
        toQuestion(inquiry, verdict, this.#read.has(inquiry.request)),
        AbortSignal.any([inquiry.signal, settledElsewhere.signal]),
      );
    } catch (error) {
      if (isAbort(error) && settledElsewhere.signal.aborted && !inquiry.signal.aborted) {
        return 'settled';
      }
      if (isAbort(error)) {
        await this.#recordWithdrawn(inquiry);
      }
      throw error;
    } finally {
      this.#waiting.delete(reconsider);
    }
  }

  /** Records a question that was withdrawn before anybody decided. A tool call has a line of its own about that. */
  async #recordWithdrawn({ request, detail, isReading }: ConsentInquiry): Promise<void> {
    if (request.action !== 'callTool') {
      await this.record({ request, detail, isReading, outcome: 'cancelled', by: 'nobody' });
    }
  }

  #keep(inquiry: ConsentInquiry, answer: PersonAnswer): Decided {
    if (!inquiry.choices.includes(answer.choice)) {
      return { decision: { kind: 'denied', by: 'person' } };
    }
    const { allows, scope: usualScope } = meaningOf(answer.choice);
    if (allows) {
      // Allow can be pressed only after everything was in view, so the person has read it.
      this.#read.add(inquiry.request);
    }
    const { allTools } = inquiry;
    if (answer.allTools === true && allTools !== undefined && usualScope !== undefined) {
      return this.#keepForAll(inquiry.request, allTools, answer, { allows, scope: usualScope });
    }
    const scope = inquiry.scopes?.[answer.choice] ?? usualScope;
    const decision: Decision = allows ? { kind: 'allowed', by: 'person', answer } : { kind: 'denied', by: 'person' };
    if (scope === undefined) {
      return { decision };
    }
    if (!allows) {
      return { decision, remember: (request) => this.#ledger.remember(inquiry.refusal ?? request, 'deny', scope) };
    }
    return { decision, remember: (request) => this.#ledger.remember(request, 'allow', scope, answer.role) };
  }

  /**
   * Remembers an answer for all tools. A refusal holds for the server, whatever tools it gets; an allow holds for each tool as it was
   * shown.
   */
  #keepForAll(request: ConsentRequest, { others, server }: AllToolsScope, answer: PersonAnswer, meant: KeptMeaning): Decided {
    const covered = [request, ...others];
    const wider = { request: ofAllTools(server, covered) };
    if (!meant.allows) {
      return { decision: { kind: 'denied', by: 'person' }, wider, remember: () => this.#ledger.remember(server, 'deny', meant.scope) };
    }
    others.forEach((other) => this.#read.add(other));
    return { decision: { kind: 'allowed', by: 'person', answer }, wider, remember: () => this.#ledger.allowTogether(covered, meant.scope) };
  }
}

interface KeptMeaning {
  readonly allows: boolean;
  readonly scope: AnswerScope;
}

/** What the audit log records of an answer for all tools: each tool by its name, with the fingerprint of what was shown. */
function ofAllTools({ principal, subject }: ConsentRequest, covered: readonly ConsentRequest[]): MadeDecision['request'] {
  const tools = covered.map((each) => [each.subject.at(-1) ?? '', each.fingerprint] as const);
  return { principal, action: 'callAllTools', subject, material: Object.fromEntries(tools) };
}

function toQuestion(inquiry: ConsentInquiry, verdict: ConsentVerdict & { kind: 'ask' }, isRead: boolean): Question {
  const differencesFrom = inquiry.differencesFrom ?? ((previous) => differencesBetween(previous, inquiry.request.material));
  return {
    askId: randomUUID(),
    detail: inquiry.detail,
    why: verdict.why,
    differences: verdict.previous === undefined ? [] : differencesFrom(verdict.previous),
    ...(isRead ? { isRead } : {}),
    choices: [...inquiry.choices],
  };
}

/**
 * What a choice means. A plain "Deny" refuses this one request and is not remembered; a plain "Allow" holds until the fingerprint
 * changes.
 */
function meaningOf(choice: Choice): { readonly allows: boolean; readonly scope?: AnswerScope } {
  switch (choice) {
    case 'allow':
    case 'allowAlways':
      return { allows: true, scope: 'always' };
    case 'allowOnce':
    case 'raiseRole':
    case 'saveAndRun':
      return { allows: true };
    case 'allowSession':
      return { allows: true, scope: 'session' };
    case 'allowWorkspace':
      return { allows: true, scope: 'workspace' };
    case 'deny':
    case 'cancel':
    case 'newConversation':
      return { allows: false };
    case 'denyAlways':
      return { allows: false, scope: 'always' };
    default:
      return unreachable(choice);
  }
}

const maxRemembered = 2_000;

/**
 * What the person has read to its end and allowed in this window, by its fingerprint. Only then may a question fold the description
 * away; one that has changed is shown whole again.
 */
class ReadSubjects {
  readonly #read = new Set<string>();

  has(request: ConsentRequest): boolean {
    return this.#read.has(keyOf(request));
  }

  add(request: ConsentRequest): void {
    const [oldest] = this.#read;
    if (this.#read.size >= maxRemembered && oldest !== undefined) {
      this.#read.delete(oldest);
    }
    this.#read.add(keyOf(request));
  }
}

/** The key of what was read. It does not depend on who asks, because the same person has read it. */
function keyOf({ action, subject, fingerprint }: ConsentRequest): string {
  return JSON.stringify([action, subject, fingerprint]);
}
