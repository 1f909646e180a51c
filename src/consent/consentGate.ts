// consent/: what the person allowed and refused. A request has a fingerprint of exactly what is shown; consentModel.ts compares it with
// the answers that ledger.ts keeps, and a question that waits for the person is in openQuestions.ts. No dialogs and no files here: both
// are ports. This file asks the ledger first and then the person.
import { randomUUID } from 'node:crypto';
import { isAbort } from '../base/errors.ts';
import type { Event } from '../base/events.ts';
import type { JsonObject } from '../base/json.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { Choice, Difference, PersonAnswer, Question, QuestionDetail } from '../contract/questions/questions.ts';
import type { Role } from '../contract/questions/rolesAndClaims.ts';
import type { AuditLog } from './audit/auditLog.ts';
import { type MadeDecision, type NamedTool, ofAllTools, recordDecision } from './audit/decisionRecords.ts';
import type { RuledInquiry } from './callRules.ts';
import {
  type RememberedAnswer,
  type AnswerScope,
  type ConsentRequest,
  decide,
  decideWithin,
  isElsewhere,
  lastAllowed,
  meaningOf,
  type ConsentVerdict,
} from './consentModel.ts';
import { differencesBetween } from './fingerprint.ts';
import type { Ledger } from './ledger.ts';
import { ReadSubjects } from './seenByPerson.ts';

/** Shows a question somewhere and resolves to the answer. Rejects with an AbortError when `signal` withdraws it. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<PersonAnswer>;

export interface ConsentInquiry {
  readonly request: ConsentRequest;
  /** What is wanted now, when `request` covers more than that. Earlier answers about this alone count too. */
  readonly exactly?: ConsentRequest | undefined;
  /** What "Always deny" is remembered for, when that is wider than `request`. */
  readonly refusal?: ConsentRequest | undefined;
  /** What an answer for all tools of the server would cover, where such an answer can be given. */
  readonly allTools?: AllToolsScope | undefined;
  /** What rules can cover of the call, if they can; see `RuledInquiry`. */
  readonly ruled?: RuledInquiry | undefined;
  readonly detail: QuestionDetail;
  /** What was allowed, for a question that leaves the person a choice; `request` is what is allowed if they leave it as it is. */
  readonly chosen?: ((answer: PersonAnswer) => ConsentRequest) | undefined;
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

/** The audit log, as far as decisions need it. */
export type DecisionLog = Pick<AuditLog, 'write' | 'note' | 'demandWritable'>;

/** A decision, and what is left to do once it is on record. */
interface Decided {
  readonly decision: Decision;
  /** What the person decided beyond the request itself. */
  readonly wider?: Pick<MadeDecision, 'request'> | undefined;
  readonly kept?: KeptAnswer | undefined;
}

/** An answer that holds for longer than once. */
interface KeptAnswer {
  /** Where the person means it to hold. */
  readonly scope: AnswerScope;
  readonly keep: (request: ConsentRequest, scope: AnswerScope) => Promise<void>;
}

/**
 * Decides by the remembered answers or, when they do not settle it, by asking the person. Starting a server, calling its tools, what
 * servers ask of this side, and letting an outside client in are decided here. Not all consent is: what a connected client may do is
 * decided by its role and the policy (server/access), whose questions come here only when the answer may hold for the session, and a
 * proposed change of text is decided by its review. Dialogs only collect answers.
 */
export class ConsentGate implements Disposable {
  readonly #ledger: Ledger;
  readonly #audit: DecisionLog | undefined;
  readonly #onUnstored: (error: unknown) => void;
  readonly #lifetime = new DisposableStore();
  readonly #waiting = new Set<() => void>();
  #verdicts: { readonly of: readonly RememberedAnswer[]; readonly made: WeakMap<ConsentRequest, ConsentVerdict> } = {
    of: [],
    made: new WeakMap(),
  };

  /** Fired when the remembered answers have changed. */
  readonly onDidChange: Event<void>;
  /** Fired when permissions count again that had been forgotten because they could not be read. */
  readonly onDidRecover: Event<void>;
  /** What the person has read to its end and allowed in this window. */
  readonly read = new ReadSubjects();

  /** Without `audit` no decision is recorded. `onUnstored` is called when an answer could not be stored and holds in this window only. */
  constructor(ledger: Ledger, audit?: DecisionLog, onUnstored: (error: unknown) => void = () => undefined) {
    this.#ledger = ledger;
    this.#audit = audit;
    this.#onUnstored = onUnstored;
    this.onDidChange = ledger.onDidChange;
    this.onDidRecover = ledger.onDidRecover;
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

  /** What the person last allowed about a subject, whatever was shown then. It allows nothing by itself. */
  lastAllowed(request: Pick<ConsentRequest, 'principal' | 'action' | 'subject' | 'material'>): RememberedAnswer | undefined {
    return lastAllowed(request, this.#ledger.answers());
  }

  /**
   * Whether a permission was taken back or refused meanwhile. One that was given anew for something else does not count, because
   * another window may have read other settings; nor does one for another folder, which stays when this one is taken back.
   */
  isRevoked(request: ConsentRequest): boolean {
    const here = this.#ledger.answers().filter((answer) => answer.answer === 'deny' || !isElsewhere(answer, request));
    const verdict = decide(request, here);
    return verdict.kind === 'deny' || (verdict.kind === 'ask' && verdict.why === 'new');
  }

  /**
   * Decides, and asks the person if that is needed. Rejects with an AbortError when `signal` fires first, and with `audit.notWritten`
   * when an allow cannot be recorded: after the answer, or before the question if that is known already.
   */
  async check(inquiry: ConsentInquiry): Promise<Decision> {
    const { decision, wider, kept } = await this.#decide(inquiry);
    const { detail, isReading } = inquiry;
    const request = chosenRequest(inquiry, decision);
    const made = { detail, isReading, outcome: decision.kind, by: decision.by };
    let unrecorded: unknown;
    try {
      await this.record({ request, ...made, isReading: isReading === true && kept === undefined });
    } catch (error) {
      if (isReading !== true) {
        throw error;
      }
      // Reading is not refused because of it, nor asked about again in this window; the line waits until it can be written.
      await this.record({ request, ...made });
      unrecorded = error;
    }
    if (wider !== undefined) {
      await this.record({ ...wider, ...made });
    }
    // Writing the record may take a while.
    if (this.#isOverruled(inquiry, decision)) {
      return this.check(inquiry);
    }
    // Only what is on record may be stored.
    const remember = kept && ((of: ConsentRequest) => this.#store(kept, of, unrecorded));
    if (inquiry.remembersLater === true && decision.kind === 'allowed' && decision.by === 'person') {
      return { ...decision, remember };
    }
    await remember?.(request);
    // Whoever writes an answer down reads what other windows wrote.
    return this.#isOverruled(inquiry, decision) ? this.check(inquiry) : decision;
  }

  /** Whether a permission was taken back meanwhile, or a refusal was stored that an answer of the person does not outweigh. */
  #isOverruled(inquiry: ConsentInquiry, decision: Decision): boolean {
    const { kind } = this.#verdictOn(inquiry);
    return decision.kind === 'allowed' && (decision.by === 'ledger' ? kind !== 'allow' : kind === 'deny');
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

  /** Rejects with `audit.notWritten` when it is known that an allow could not be recorded: then asking for one is no use. */
  demandRecord(): Promise<void> | undefined {
    return this.#audit?.demandWritable();
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
    const recording = inquiry.isReading === true ? undefined : this.demandRecord();
    if (recording !== undefined) {
      await recording;
    }
    const answer = await this.#askPerson(inquiry, verdict);
    return answer === 'settled' ? this.#decide(inquiry) : this.#keep(inquiry, answer);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** What the remembered answers say about a call, rules included. */
  verdictOnCall(request: ConsentRequest, ruled: Pick<RuledInquiry, 'facts'> | undefined): ConsentVerdict {
    // What rules look at takes a look at the disk, so it is gathered only where there is a rule.
    const hasRule = this.#ledger.answers().some((answer) => answer.answer === 'allowWhen' && answer.fingerprint === request.fingerprint);
    return ruled === undefined || !hasRule ? this.verdict(request) : decide({ ...request, call: ruled.facts() }, this.#ledger.answers());
  }

  #verdictOn({ request, exactly, ruled, asksAnew = false }: ConsentInquiry): ConsentVerdict {
    const verdict = exactly === undefined ? this.verdictOnCall(request, ruled) : decideWithin(exactly, request, this.#ledger.answers());
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
        toQuestion(inquiry, verdict, this.read.has(inquiry.request)),
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
    if (answer.choice === 'allowWhen') {
      return this.#keepRule(inquiry, answer);
    }
    const { allows, scope: usualScope } = meaningOf(answer.choice);
    if (allows) {
      // Allow can be pressed only after everything was in view, so the person has read it.
      this.read.add(inquiry.request);
    }
    const { allTools } = inquiry;
    const decision: Decision = allows ? { kind: 'allowed', by: 'person', answer } : { kind: 'denied', by: 'person' };
    if (answer.allTools === true && allTools !== undefined && usualScope !== undefined) {
      return this.#keepForAll(inquiry.request, allTools, decision, usualScope);
    }
    const scope = inquiry.scopes?.[answer.choice] ?? usualScope;
    if (scope === undefined) {
      return { decision };
    }
    if (!allows) {
      return { decision, kept: { scope, keep: (request, where) => this.#ledger.remember(inquiry.refusal ?? request, 'deny', where) } };
    }
    return { decision, kept: { scope, keep: (request, where) => this.#ledger.remember(request, 'allow', where, answer.role) } };
  }

  /**
   * Remembers an answer for all tools. A refusal holds for the server, whatever tools it gets; an allow holds for each tool as it was
   * shown.
   */
  #keepForAll(request: ConsentRequest, { others, server }: AllToolsScope, decision: Decision, scope: AnswerScope): Decided {
    const covered = [request, ...others];
    const wider = { request: ofAllTools(server, covered) };
    if (decision.kind === 'denied') {
      return { decision, wider, kept: { scope, keep: (_, where) => this.#ledger.remember(server, 'deny', where) } };
    }
    others.forEach((other) => this.read.add(other));
    return { decision, wider, kept: { scope, keep: (_, where) => this.#ledger.allowTogether(covered, where) } };
  }

  /**
   * Remembers a rule. It was offered for the arguments as they were shown: with changed ones, or for anything that was not offered, the
   * answer is nobody's.
   */
  #keepRule({ request, ruled }: ConsentInquiry, answer: PersonAnswer): Decided {
    const offered = answer.rule === undefined ? undefined : ruled?.offered[answer.rule.offer];
    const scope = answer.rule?.scope;
    if (offered === undefined || scope === undefined || !offered.scopes.includes(scope) || answer.arguments !== undefined) {
      return { decision: { kind: 'denied', by: 'person' } };
    }
    this.read.add(request);
    const { principal, subject } = request;
    return {
      decision: { kind: 'allowed', by: 'person', answer },
      wider: { request: { principal, action: 'allowCallsWhen', subject, material: { ...offered.rule } } },
      kept: { scope, keep: (kept, where) => this.#ledger.allowWhen(kept, offered.rule, where) },
    };
  }

  /**
   * Keeps an answer where it is meant to hold. One that cannot be stored, or must not be because it is not on record, holds in this
   * window: the person has given it, and would be asked without end.
   */
  async #store({ scope, keep }: KeptAnswer, request: ConsentRequest, unrecorded: unknown): Promise<void> {
    if (scope === 'session') {
      return keep(request, scope);
    }
    let failure = unrecorded;
    if (failure === undefined) {
      try {
        await keep(request, scope);
        return;
      } catch (error) {
        failure = error;
      }
    }
    await keep(request, 'session');
    this.#onUnstored(failure);
  }
}

function chosenRequest({ request, chosen }: ConsentInquiry, decision: Decision): ConsentRequest {
  const isPersons = decision.kind === 'allowed' && decision.by === 'person';
  return isPersons && chosen !== undefined ? chosen(decision.answer) : request;
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
