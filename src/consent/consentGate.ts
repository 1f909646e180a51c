// consent/: what the person allowed and refused. A request has a fingerprint of exactly what is shown; decide.ts compares it
// with the answers that ledger.ts keeps, and a question that waits for the person is in openQuestions.ts. No dialogs and no
// files here: both are ports. This file asks the ledger first and then the person.
import { randomUUID } from 'node:crypto';
import { isAbort, unreachable } from '../base/errors.ts';
import type { Event } from '../base/events.ts';
import type { JsonObject } from '../base/json.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { Choice, Difference, PersonAnswer, Question, QuestionDetail } from '../contract/questions/questions.ts';
import type { Role } from '../contract/questions/rolesAndClaims.ts';
import type { AuditLog } from './audit/auditLog.ts';
import { type MadeDecision, type NamedTool, recordDecision } from './audit/decisionRecords.ts';
import { type Answer, type AnswerScope, type ConsentRequest, decide, decideWithin, type Verdict } from './consentModel.ts';
import { differencesBetween } from './fingerprint.ts';
import type { Ledger } from './ledger.ts';

/** Shows a question somewhere and resolves to the answer. Rejects with an AbortError when `signal` withdraws it. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<PersonAnswer>;

export interface ConsentInquiry {
  readonly request: ConsentRequest;
  /** What is wanted now, when `request` covers more than that: what the person has answered about it alone counts too. */
  readonly exactly?: ConsentRequest | undefined;
  /** What "Always deny" is kept for, when that is more than `request`: its subject begins with this one. */
  readonly refusal?: ConsentRequest | undefined;
  /** For a question that can be answered for all tools of a server. */
  readonly allTools?: AllTools | undefined;
  readonly detail: QuestionDetail;
  /** For material of which not everything that differs may be shown. */
  readonly differencesFrom?: ((previous: JsonObject) => Difference[]) | undefined;
  /** The answers on offer, safe ones first. */
  readonly choices: readonly Choice[];
  readonly ask: Ask;
  /** Where an answer holds, for questions whose "always" means less than everywhere. */
  readonly scopes?: Readonly<Partial<Record<Choice, AnswerScope>>> | undefined;
  /** Whoever asks remembers an allow themselves, once they have gone through with it: see `Decision`. */
  readonly remembersLater?: boolean | undefined;
  /** An earlier allow does not count, an earlier refusal does. */
  readonly asksAnew?: boolean | undefined;
  /** It only looks at the editor: see `MadeDecision`. */
  readonly isReading?: boolean | undefined;
  /** Aborted when whatever wanted the permission is gone; the question is then withdrawn. */
  readonly signal: AbortSignal;
}

export type Decision =
  | { readonly kind: 'allowed'; readonly by: 'ledger'; readonly role?: Role }
  | {
      readonly kind: 'allowed';
      readonly by: 'person';
      readonly answer: PersonAnswer;
      /** For `remembersLater`, where the answer holds for longer: keeps it, for this request. */
      readonly remember?: ((request: ConsentRequest) => Promise<void>) | undefined;
    }
  | { readonly kind: 'denied'; readonly by: 'ledger' | 'person' };

/** What an answer for all tools of a server covers. */
export interface AllTools {
  /** To allow: those that the question shows beside the one it is about, as it shows them. */
  readonly others: readonly ConsentRequest[];
  /** To refuse: every tool there is or will be. */
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
 * Makes a decision of the remembered answers and, where they do not settle it, of the person's own. Starting a server, calling
 * its tools, what servers ask of this side, and letting an outside client in pass here. Not all consent does: what a client
 * that is in may do is decided by its role and the policy (server/access), whose questions pass here only where the answer
 * may hold for the session, and a proposed change of text is decided by its review. Dialogs only collect answers.
 */
export class ConsentGate implements Disposable {
  readonly #ledger: Ledger;
  readonly #audit: Pick<AuditLog, 'write' | 'note'> | undefined;
  readonly #lifetime = new DisposableStore();
  readonly #waiting = new Set<() => void>();
  readonly #read = new ReadSubjects();
  #verdicts: { readonly of: readonly Answer[]; readonly made: WeakMap<ConsentRequest, Verdict> } = { of: [], made: new WeakMap() };

  /** The remembered answers are other ones. */
  readonly onDidChange: Event<void>;

  /** Without `audit` nothing is recorded. */
  constructor(ledger: Ledger, audit?: Pick<AuditLog, 'write' | 'note'>) {
    this.#ledger = ledger;
    this.#audit = audit;
    this.onDidChange = ledger.onDidChange;
    // An answer given elsewhere (another card, another window) may settle a question that is still open here.
    this.#lifetime.add(ledger.onDidChange(() => [...this.#waiting].forEach((reconsider) => reconsider())));
  }

  /** Made once for a request while the remembered answers stay: a call wants it several times. */
  verdict(request: ConsentRequest): Verdict {
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
   * Whether what was allowed is taken back or refused by now. Not when it was allowed anew for something that differs: another
   * window may have another folder.
   */
  isRevoked(request: ConsentRequest): boolean {
    const verdict = this.verdict(request);
    return verdict.kind === 'deny' || (verdict.kind === 'ask' && verdict.why === 'new');
  }

  /** Rejects with an AbortError when `signal` fires first, and with `audit.notWritten` when what was allowed cannot be recorded. */
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
      // Looking is not refused for it; but what is not on record holds for this once.
      await this.record({ request, ...made });
      return decision;
    }
    if (wider !== undefined) {
      await this.record({ ...wider, ...made });
    }
    // To write it down may have taken a while, in which the permission can be taken back.
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

  /** Without a question: what the remembered answers say, if they say something. */
  async checkQuietly(request: ConsentRequest, detail: QuestionDetail | NamedTool, isReading = false): Promise<Verdict['kind']> {
    const verdict = this.verdict(request);
    if (verdict.kind !== 'ask') {
      this.#ledger.markUsed(verdict.answer);
      await this.record({ request, detail, isReading, outcome: verdict.kind === 'allow' ? 'allowed' : 'denied', by: 'ledger' });
    }
    // To write it down may have taken a while, in which the permission can be taken back.
    return verdict.kind === 'allow' ? this.verdict(request).kind : verdict.kind;
  }

  /** For a decision that was made elsewhere. Rejects with `audit.notWritten` when what was allowed cannot be recorded. */
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

  #verdictOn({ request, exactly, asksAnew = false }: ConsentInquiry): Verdict {
    const verdict = exactly === undefined ? this.verdict(request) : decideWithin(exactly, request, this.#ledger.answers());
    return asksAnew && verdict.kind === 'allow' ? { kind: 'ask', why: 'new' } : verdict;
  }

  async #askPerson(inquiry: ConsentInquiry, verdict: Verdict & { kind: 'ask' }): Promise<PersonAnswer | 'settled'> {
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

  /** Nobody decided: whatever wanted the answer is gone. A call of a tool has a line of its own about that. */
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
      // Allow is armed only when all of it has been in view.
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

  /** "Always deny" holds for the server whatever comes; an allow for each tool as it was shown. */
  #keepForAll(request: ConsentRequest, { others, server }: AllTools, answer: PersonAnswer, meant: KeptMeaning): Decided {
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

/** For the record: every tool by its name, with the fingerprint of what was shown. */
function ofAllTools({ principal, subject }: ConsentRequest, covered: readonly ConsentRequest[]): MadeDecision['request'] {
  const tools = covered.map((each) => [each.subject.at(-1) ?? '', each.fingerprint] as const);
  return { principal, action: 'callAllTools', subject, material: Object.fromEntries(tools) };
}

function toQuestion(inquiry: ConsentInquiry, verdict: Verdict & { kind: 'ask' }, isRead: boolean): Question {
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

/** A plain "Deny" refuses this one request and is remembered nowhere; a plain "Allow" holds until the fingerprint changes. */
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
 * What the person has read to its end and allowed in this window, by its fingerprint: only then may a question fold the
 * description away. Another definition, or one that changed, is read whole again.
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

/** Whoever asks: it is the same person who has read it. */
function keyOf({ action, subject, fingerprint }: ConsentRequest): string {
  return JSON.stringify([action, subject, fingerprint]);
}
