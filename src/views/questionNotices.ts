import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Question } from '../contract/questions.ts';

/** A place where questions are shown. */
export interface NoticedSurface {
  readonly questions: { list(): readonly Question[]; readonly onDidChange: Event<void> };
  isVisible(): boolean;
  readonly onDidChangeVisibility: Event<void>;
}

export interface QuestionNoticesOptions {
  readonly surfaces: readonly NoticedSurface[];
  isWindowFocused(): boolean;
  readonly onDidChangeFocus: Event<void>;
  /** Tells of one question, until `over` fires. */
  readonly notify: (question: Question, over: AbortSignal) => void;
  readonly clock: Clock;
}

/** Its surface may be on its way into view: who is shown the question itself needs no notice of it. */
const patienceMs = 700;

/**
 * Somebody who looks elsewhere is told of each question that waits: once, and no longer than it waits unseen. A notice that
 * outlives its question, or stands beside it, would lead nowhere.
 */
export class QuestionNotices implements Disposable {
  readonly #options: QuestionNoticesOptions;
  readonly #lifetime = new DisposableStore();
  readonly #patience = new Map<string, Disposable>();
  /** Of every open question that was told of, also when it was seen since. */
  readonly #told = new Map<string, AbortController>();

  constructor(options: QuestionNoticesOptions) {
    this.#options = options;
    const update = (): void => this.#update();
    this.#lifetime.add(options.onDidChangeFocus(update));
    for (const { questions, onDidChangeVisibility } of options.surfaces) {
      this.#lifetime.add(questions.onDidChange(update));
      this.#lifetime.add(onDidChangeVisibility(update));
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
    [...this.#patience.keys(), ...this.#told.keys()].forEach((askId) => this.#forget(askId));
  }

  #update(): void {
    const open = new Set<string>();
    for (const surface of this.#options.surfaces) {
      const isSeen = this.#isSeen(surface);
      for (const question of surface.questions.list()) {
        open.add(question.askId);
        if (isSeen) {
          this.#see(question.askId);
        } else {
          this.#tellSoon(question, surface);
        }
      }
    }
    const known = new Set([...this.#patience.keys(), ...this.#told.keys()]);
    known.forEach((askId) => !open.has(askId) && this.#forget(askId));
  }

  #isSeen(surface: NoticedSurface): boolean {
    return surface.isVisible() && this.#options.isWindowFocused();
  }

  #see(askId: string): void {
    this.#patience.get(askId)?.dispose();
    this.#patience.delete(askId);
    this.#told.get(askId)?.abort();
  }

  #tellSoon(question: Question, surface: NoticedSurface): void {
    const { askId } = question;
    if (this.#told.has(askId) || this.#patience.has(askId)) {
      return;
    }
    const { clock, notify } = this.#options;
    const tell = (): void => {
      this.#patience.delete(askId);
      if (!this.#isSeen(surface)) {
        const over = new AbortController();
        this.#told.set(askId, over);
        notify(question, over.signal);
      }
    };
    this.#patience.set(askId, clock.schedule(patienceMs, tell));
  }

  #forget(askId: string): void {
    this.#see(askId);
    this.#told.delete(askId);
  }
}
