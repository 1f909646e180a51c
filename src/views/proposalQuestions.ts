import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { PendingAnswers } from '../consent/pendingAnswers.ts';
import type { FileAnswer, ProposedChange, ReviewAnswer } from '../editor/acting/actingViews.ts';

/** As in every question: what has just appeared under the pointer is not yet agreed to. */
const armingMs = 500;

export interface ProposalQuestion {
  readonly id: string;
  readonly change: ProposedChange;
  /** It can be accepted: the person has had time to see it. */
  readonly isArmed: boolean;
  /** Of the files that have an answer already. */
  readonly answers: ReadonlyMap<number, FileAnswer>;
}

interface OpenQuestion extends ProposalQuestion {
  isArmed: boolean;
  readonly answers: Map<number, FileAnswer>;
  arming: NodeJS.Timeout | undefined;
}

/** The changes that wait for the person's answer, and how each is settled: when each of its files has an answer. */
export class ProposalQuestions implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #pending = new PendingAnswers<OpenQuestion, ReviewAnswer>();

  /** One came, went, got an answer or can be accepted from now on. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#lifetime.add(this.#pending.onDidChange(() => this.#changed.fire()));
  }

  /** Resolves to the answers; rejects with an AbortError when the question is withdrawn. */
  ask(id: string, change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer> {
    return this.#pending.wait(id, { id, change, isArmed: false, answers: new Map(), arming: undefined }, signal);
  }

  list(): readonly ProposalQuestion[] {
    return this.#pending.list();
  }

  find(id: string): ProposalQuestion | undefined {
    return this.#pending.find(id);
  }

  /** The time to look begins anew with each diff that appears. */
  noticeShown(id: string): void {
    const question = this.#pending.find(id);
    if (question?.isArmed === false) {
      clearTimeout(question.arming);
      question.arming = setTimeout(() => {
        question.isArmed = true;
        this.#changed.fire();
      }, armingMs);
    }
  }

  /** `texts` by the place of the file in the change. False when it does not count: too early, or too late. */
  accept(id: string, texts: ReadonlyMap<number, string>, { isToBeSaved = false } = {}): boolean {
    const answers = [...texts].map(([index, text]) => [index, { kind: 'accepted', text, isToBeSaved }] as const);
    return this.find(id)?.isArmed === true && this.#answer(id, answers);
  }

  /** The files at these places of the change. */
  reject(id: string, indexes: readonly number[], reason: string): boolean {
    const answer: FileAnswer = { kind: 'rejected', ...(reason.trim() !== '' && { reason: reason.trim() }) };
    return this.#answer(
      id,
      indexes.map((index) => [index, answer]),
    );
  }

  /** Withdraws what waits, and tells so. */
  dispose(): void {
    this.#pending.dispose();
    this.#lifetime.dispose();
  }

  #answer(id: string, answers: readonly (readonly [number, FileAnswer])[]): boolean {
    const question = this.#pending.find(id);
    const open = answers.filter(([index]) => question?.answers.has(index) === false);
    if (question === undefined || open.length === 0) {
      return false;
    }
    open.forEach(([index, answer]) => question.answers.set(index, answer));
    const all = question.change.files.flatMap((_, index) => question.answers.get(index) ?? []);
    // What comes next under the pointer has not been seen either.
    clearTimeout(question.arming);
    question.isArmed = false;
    if (all.length === question.change.files.length) {
      return this.#pending.settle(id, all);
    }
    this.#changed.fire();
    return true;
  }
}

/** The places of the files that have no answer yet. */
export function openFilesOf({ change, answers }: ProposalQuestion): readonly number[] {
  return change.files.flatMap((_, index) => (answers.has(index) ? [] : [index]));
}
