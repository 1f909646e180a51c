import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { PendingAnswers } from '../../consent/openQuestions.ts';
import type { FileAnswer, ProposedChange, ReviewAnswer } from '../../editor/acting/actingViews.ts';

/** How long a diff has to be in view, in ms, before it can be accepted: nobody shall accept what has just appeared under the pointer. */
const armingMs = 500;

export interface ProposalQuestion {
  readonly id: string;
  readonly change: ProposedChange;
  /** Whether the person has had time to see the diffs that are in view. False while none is. */
  readonly isArmed: boolean;
  /** The indexes of files whose diffs were in view long enough and are still open. */
  readonly seen: ReadonlySet<number>;
  /** The indexes of files whose last change was in view, in a diff that is still open. */
  readonly seenToEnd: ReadonlySet<number>;
  /** The answers so far, by the index of the file. */
  readonly answers: ReadonlyMap<number, FileAnswer>;
}

/** The indexes of the files whose diffs are open, and of those that are in view. */
export interface ProposalView {
  readonly open: readonly number[];
  readonly inView: readonly number[];
  /** The indexes of the files whose last change is in view. */
  readonly endInView?: readonly number[] | undefined;
}

interface OpenQuestion extends ProposalQuestion {
  isArmed: boolean;
  /** Whether it has come only a moment ago. */
  isNew: boolean;
  readonly seen: Set<number>;
  readonly seenToEnd: Set<number>;
  inView: ReadonlySet<number>;
  readonly answers: Map<number, FileAnswer>;
  arming: NodeJS.Timeout | undefined;
}

/** Keeps the changes that wait for the person's answer. A change is settled when each of its files has an answer. */
export class ProposalQuestions implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #pending = new PendingAnswers<OpenQuestion, ReviewAnswer>();

  /** Fires when a question came, went, got an answer or can be accepted from now on. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#lifetime.add(this.#pending.onDidChange(() => this.#changed.fire()));
  }

  /** Waits for the answers; rejects with an AbortError when the question is withdrawn. */
  ask(id: string, change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer> {
    const question: OpenQuestion = {
      id,
      change,
      isNew: true,
      isArmed: false,
      seen: new Set(),
      seenToEnd: new Set(),
      inView: new Set(),
      answers: new Map(),
      arming: undefined,
    };
    setTimeout(() => (question.isNew = false), armingMs).unref();
    return this.#pending.wait(id, question, signal);
  }

  list(): readonly ProposalQuestion[] {
    return this.#pending.list();
  }

  find(id: string): ProposalQuestion | undefined {
    return this.#pending.find(id);
  }

  /**
   * Takes note of what the person sees. The time to look begins anew with each diff that comes into view; a file whose diff was
   * closed has to be seen again.
   */
  noticeView(id: string, { open, inView, endInView = [] }: ProposalView): void {
    const question = this.#pending.find(id);
    if (question === undefined) {
      return;
    }
    const isNew = inView.some((index) => !question.inView.has(index));
    question.inView = new Set(inView);
    const closed = [...question.seen].filter((index) => !open.includes(index));
    closed.forEach((index) => question.seen.delete(index));
    [...question.seenToEnd].filter((index) => !open.includes(index)).forEach((index) => question.seenToEnd.delete(index));
    const ends = endInView.filter((index) => !question.seenToEnd.has(index));
    ends.forEach((index) => question.seenToEnd.add(index));
    const wasArmed = question.isArmed;
    if (isNew || inView.length === 0) {
      this.#rearm(question);
    }
    if (closed.length > 0 || ends.length > 0 || wasArmed !== question.isArmed) {
      this.#changed.fire();
    }
  }

  /** Whether a diff of the change has just come into view, so that the person needs a moment more. */
  isBeingSeen(id: string): boolean {
    const question = this.#pending.find(id);
    return question !== undefined && !question.isArmed && question.inView.size > 0;
  }

  /**
   * Accepts files with these texts, by the index of the file. False when that does not count: too early, too late, or not all of
   * it was seen.
   */
  accept(id: string, texts: ReadonlyMap<number, string>, { isToBeSaved = false } = {}): boolean {
    const answers = [...texts].map(([index, text]) => [index, { kind: 'accepted', text, isToBeSaved }] as const);
    const question = this.find(id);
    return question?.isArmed === true && unseenFilesOf(question).every((index) => !texts.has(index)) && this.#answer(id, answers);
  }

  /**
   * Accepts files that the person read in the chat: `isRead` tells for each whether they did; a file that they did not read there
   * must have been in view to its end in its diff. False when that does not count.
   */
  acceptInChat(id: string, texts: ReadonlyMap<number, string>, isRead: (index: number) => boolean): boolean {
    const question = this.#pending.find(id);
    const isSeen = (index: number): boolean => question?.seen.has(index) === true && question.seenToEnd.has(index);
    const answers = [...texts].map(([index, text]) => [index, { kind: 'accepted', text, isToBeSaved: false }] as const);
    return question?.isNew === false && answers.every(([index]) => isRead(index) || isSeen(index)) && this.#answer(id, answers);
  }

  /** Rejects the files at these indexes. False when all of them have an answer already. */
  reject(id: string, indexes: readonly number[], reason: string): boolean {
    const answer: FileAnswer = { kind: 'rejected', ...(reason.trim() !== '' && { reason: reason.trim() }) };
    return this.#answer(
      id,
      indexes.map((index) => [index, answer]),
    );
  }

  /** Withdraws all questions, and fires that they are gone. */
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
    // The next diff comes under the pointer now: it may have been seen, but not there.
    this.#rearm(question);
    if (all.length === question.change.files.length) {
      clearTimeout(question.arming);
      return this.#pending.settle(id, all);
    }
    this.#changed.fire();
    return true;
  }

  #rearm(question: OpenQuestion): void {
    clearTimeout(question.arming);
    question.isArmed = false;
    if (question.inView.size > 0) {
      question.arming = setTimeout(() => {
        question.isArmed = true;
        question.inView.forEach((index) => question.seen.add(index));
        this.#changed.fire();
      }, armingMs);
    }
  }
}

/** The indexes of the files that have no answer yet. */
export function openFilesOf({ change, answers }: ProposalQuestion): readonly number[] {
  return change.files.flatMap((_, index) => (answers.has(index) ? [] : [index]));
}

/** The indexes of the files that have no answer yet and were not seen. */
export function unseenFilesOf(question: ProposalQuestion): readonly number[] {
  return openFilesOf(question).filter((index) => !question.seen.has(index));
}

/** Whether a file can be accepted by itself, in its diff. */
export function isAnswerable({ isArmed, seen }: ProposalQuestion, index: number): boolean {
  return isArmed && seen.has(index);
}
