import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Question } from '../../contract/questions/questions.ts';

/** The places where a person is asked. The person is led to the first of them that has a question. */
const surfaces = ['panel', 'review', 'chat'] as const;
export type Surface = (typeof surfaces)[number];

export interface SurfaceQuestions {
  list(): readonly ({ readonly askId: string } | { readonly id: string })[];
  readonly onDidChange: Event<void>;
}

/** Counts and finds everything that waits for the person's answer, wherever it is asked. */
export class WaitingQuestions implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #questions: Readonly<Record<Surface, SurfaceQuestions>>;

  readonly onDidChange = this.#changed.event;

  constructor(questions: Readonly<Record<Surface, SurfaceQuestions>>) {
    this.#questions = questions;
    for (const surface of surfaces) {
      this.#lifetime.add(questions[surface].onDidChange(() => this.#changed.fire()));
    }
  }

  get count(): number {
    return surfaces.reduce((sum, surface) => sum + this.#questions[surface].list().length, 0);
  }

  /** The place to which the person is led first; `undefined` when nothing waits. */
  get firstSurface(): Surface | undefined {
    return surfaces.find((surface) => this.#questions[surface].list().length > 0);
  }

  /** The place where this question is asked; `undefined` when it waits no longer. */
  surfaceOf(id: string): Surface | undefined {
    return surfaces.find((surface) => this.#questions[surface].list().some((each) => ('askId' in each ? each.askId : each.id) === id));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

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
  /** Shows a notice of one question, until `over` fires. */
  readonly notify: (question: Question, over: AbortSignal) => void;
  readonly clock: Clock;
}

/** How long, in ms, a question waits before a notice is shown: its view may just be opening, and then no notice is needed. */
const patienceMs = 700;

/**
 * Shows a notice of each question to somebody who looks elsewhere: once, and only as long as it waits unseen. A notice that
 * outlives its question, or stands beside it, would lead nowhere.
 */
export class QuestionNotices implements Disposable {
  readonly #options: QuestionNoticesOptions;
  readonly #lifetime = new DisposableStore();
  readonly #patience = new Map<string, Disposable>();
  /** Ends the notice of each open question that had one, by its id; also of those that were seen since. */
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
