// consent/: what the person allowed and refused. A request has a fingerprint of exactly what is shown; decide.ts compares it
// with the answers that ledger.ts keeps, and a question that waits for the person is in openQuestions.ts. No dialogs and no
// files here: both are ports. This file asks the ledger first and then the person.
import { randomUUID } from 'node:crypto';
import { isAbort, unreachable } from '../base/errors.ts';
import type { Event } from '../base/events.ts';
import type { JsonObject } from '../base/json.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Choice, Difference, PersonAnswer, Question, QuestionDetail, Role } from '../contract/questions.ts';
import type { AuditLog } from './audit/auditLog.ts';
import { recordDecision, type MadeDecision } from './audit/decisionRecords.ts';
import type { AnswerScope, ConsentRequest, Verdict } from './consentModel.ts';
import { decide } from './decide.ts';
import { differencesBetween } from './fingerprint.ts';
import type { Ledger } from './ledger.ts';
import { ReadSubjects } from './readSubjects.ts';

/** Shows a question somewhere and resolves to the answer. Rejects with an AbortError when `signal` withdraws it. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<PersonAnswer>;

export interface ConsentInquiry {
  readonly request: ConsentRequest;
  readonly detail: QuestionDetail;
  /** For material of which not everything that differs may be shown. */
  readonly differencesFrom?: ((previous: JsonObject) => Difference[]) | undefined;
  /** The answers on offer, safe ones first. */
  readonly choices: readonly Choice[];
  readonly ask: Ask;
  /** Where an answer holds, for questions whose "always" means less than everywhere. */
  readonly scopes?: Readonly<Partial<Record<Choice, AnswerScope>>> | undefined;
  /** An earlier allow does not count, an earlier refusal does. */
  readonly asksAnew?: boolean | undefined;
  /** It only looks at the editor: see `MadeDecision`. */
  readonly isReading?: boolean | undefined;
  /** Aborted when whatever wanted the permission is gone; the question is then withdrawn. */
  readonly signal: AbortSignal;
}

export type Decision =
  | { readonly kind: 'allowed'; readonly by: 'ledger'; readonly role?: Role }
  | { readonly kind: 'allowed'; readonly by: 'person'; readonly answer: PersonAnswer }
  | { readonly kind: 'denied'; readonly by: 'ledger' | 'person' };

/** A decision, and what is left to do once it is on record. */
interface Decided {
  readonly decision: Decision;
  readonly remember?: () => Promise<void>;
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

  verdict(request: ConsentRequest): Verdict {
    return decide(request, this.#ledger.answers());
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
    const { decision, remember } = await this.#decide(inquiry);
    const { request, detail, isReading } = inquiry;
    await this.record({ request, detail, isReading, outcome: decision.kind, by: decision.by });
    // Only what is on record may be remembered.
    await remember?.();
    return decision;
  }

  /** Without a question: what the remembered answers say, if they say something. */
  async checkQuietly(request: ConsentRequest, detail: QuestionDetail): Promise<Verdict['kind']> {
    const verdict = this.verdict(request);
    if (verdict.kind !== 'ask') {
      this.#ledger.markUsed(verdict.answer);
      await this.record({ request, detail, outcome: verdict.kind === 'allow' ? 'allowed' : 'denied', by: 'ledger' });
    }
    return verdict.kind;
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

  #verdictOn({ request, asksAnew = false }: ConsentInquiry): Verdict {
    const verdict = this.verdict(request);
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
    const scope = inquiry.scopes?.[answer.choice] ?? usualScope;
    const decision: Decision = allows ? { kind: 'allowed', by: 'person', answer } : { kind: 'denied', by: 'person' };
    if (scope === undefined) {
      return { decision };
    }
    const given = allows ? answer.role : undefined;
    return { decision, remember: () => this.#ledger.remember(inquiry.request, allows ? 'allow' : 'deny', scope, given) };
  }
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
function meaningOf(choice: Choice): { allows: boolean; scope?: AnswerScope } {
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
