import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { PendingAnswers } from '../consent/pendingAnswers.ts';
import type { ProposedChange, ReviewAnswer } from '../editor/acting/actingViews.ts';

/** As in every question: what has just appeared under the pointer is not yet agreed to. */
const armingMs = 500;

export interface ProposalQuestion {
  readonly id: string;
  readonly change: ProposedChange;
  /** It can be accepted: the person has had time to see it. */
  readonly isArmed: boolean;
}

interface ArmableQuestion extends ProposalQuestion {
  isArmed: boolean;
}

/** The changes that wait for the person's answer, and how each is settled. */
export class ProposalQuestions implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #pending = new PendingAnswers<ArmableQuestion, ReviewAnswer>();

  /** One came, went or can be accepted from now on. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#lifetime.add(this.#pending.onDidChange(() => this.#changed.fire()));
  }

  /** Resolves to the answer; rejects with an AbortError when the question is withdrawn. */
  ask(id: string, change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer> {
    return this.#pending.wait(id, { id, change, isArmed: false }, signal);
  }

  list(): readonly ProposalQuestion[] {
    return this.#pending.list();
  }

  find(id: string): ProposalQuestion | undefined {
    return this.#pending.find(id);
  }

  noticeShown(id: string): void {
    const question = this.#pending.find(id);
    if (question?.isArmed === false) {
      setTimeout(() => {
        question.isArmed = true;
        this.#changed.fire();
      }, armingMs);
    }
  }

  /** False when it does not count: too early, or too late. */
  accept(id: string, texts: readonly string[]): boolean {
    return this.find(id)?.isArmed === true && this.#pending.settle(id, { kind: 'accepted', texts });
  }

  reject(id: string, reason: string): boolean {
    return this.#pending.settle(id, { kind: 'rejected', ...(reason.trim() !== '' && { reason: reason.trim() }) });
  }

  /** Withdraws what waits, and tells so. */
  dispose(): void {
    this.#pending.dispose();
    this.#lifetime.dispose();
  }
}
