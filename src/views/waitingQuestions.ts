import { Emitter, type Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';

/** Where a person is asked. The first of them with something to answer is the one to lead the person to. */
const surfaces = ['panel', 'review', 'chat'] as const;
export type Surface = (typeof surfaces)[number];

export interface SurfaceQuestions {
  list(): readonly ({ readonly askId: string } | { readonly id: string })[];
  readonly onDidChange: Event<void>;
}

/** Everything that waits for the person's answer, wherever it is asked. */
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

  /** Where to look first; `undefined` when nothing waits. */
  get firstSurface(): Surface | undefined {
    return surfaces.find((surface) => this.#questions[surface].list().length > 0);
  }

  /** Where one of them is asked; `undefined` when it waits no longer. */
  surfaceOf(id: string): Surface | undefined {
    return surfaces.find((surface) => this.#questions[surface].list().some((each) => ('askId' in each ? each.askId : each.id) === id));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
