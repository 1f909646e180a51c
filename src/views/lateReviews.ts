import { Emitter } from '../base/events.ts';
import { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { ProposedChange, ReviewAnswer, ReviewPort } from '../editor/acting/actingViews.ts';
import type { Author } from '../server/seen/ports/actingPort.ts';
import type { ProposalQuestion } from './proposalQuestions.ts';
import type { AcceptOptions, ProposalReviews } from './proposalReviews.ts';
import { allTabs, proposalOf } from './proposalTabs.ts';

/** The reviews of what clients want to change, there when the first change is proposed, or when tabs are left of an earlier one. */
export class LateReviews implements ReviewPort, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #reviews = new Late(() => this.#load());
  readonly #report: (error: unknown) => void;

  readonly onDidChange = this.#changed.event;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
    // A reload of the window leaves diffs behind that look as if they waited for an answer: the reviews close them.
    if (allTabs().some((tab) => proposalOf(tab) !== undefined)) {
      this.#reviews.get().catch(report);
    }
  }

  list(): readonly ProposalQuestion[] {
    return this.#reviews.made?.list() ?? [];
  }

  async review(change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer> {
    return (await this.#reviews.get()).review(change, signal);
  }

  tellChanged(author: Author, paths: readonly string[]): void {
    this.#tell((reviews) => reviews.tellChanged(author, paths));
  }

  tellNotMade(author: Author, isTakenBack: boolean): void {
    this.#tell((reviews) => reviews.tellNotMade(author, isTakenBack));
  }

  async show(argument?: unknown): Promise<void> {
    await (await this.#reviews.get()).show(argument);
  }

  async accept(argument: unknown, options?: AcceptOptions): Promise<void> {
    await (await this.#reviews.get()).accept(argument, options);
  }

  async reject(argument: unknown, options?: Pick<AcceptOptions, 'isForAll'>): Promise<void> {
    await (await this.#reviews.get()).reject(argument, options);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #tell(say: (reviews: ProposalReviews) => void): void {
    void this.#reviews.get().then(say).catch(this.#report);
  }

  async #load(): Promise<ProposalReviews> {
    const { ProposalReviews: Loaded } = await import('./proposalReviews.ts');
    const reviews = this.#lifetime.add(new Loaded());
    this.#lifetime.add(reviews.onDidChange(() => this.#changed.fire()));
    return reviews;
  }
}
