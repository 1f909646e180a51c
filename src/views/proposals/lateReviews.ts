import { Late, lateMethods } from '../../base/late.ts';
import type { DisposableStore } from '../../base/lifecycle.ts';
import type { OwnCalls } from '../../consent/ownCalls.ts';
import type { ReviewPort } from '../../editor/acting/actingViews.ts';
import type { ProposalReviews } from './proposalReviews.ts';
import { allTabs, proposalOf } from './proposalTabs.ts';

/** The reviews of what clients want to change, loaded when the first change is proposed. */
export function lateReviews(
  calls: Pick<OwnCalls, 'find'>,
  report: (error: unknown) => void,
  lifetime: DisposableStore,
): Late<ProposalReviews> {
  const reviews = new Late(async () => {
    const { ProposalReviews: Loaded } = await import('./proposalReviews.ts');
    return lifetime.add(new Loaded(calls));
  });
  // A reload of the window leaves diffs behind that look as if they waited for an answer: the reviews close them.
  if (allTabs().some((tab) => proposalOf(tab) !== undefined)) {
    reviews.get().catch(report);
  }
  return reviews;
}

/** The reviews as the editor's own server reaches them. Nobody waits for what is only told, so its failures are reported. */
export function reviewPort(reviews: Late<ProposalReviews>, report: (error: unknown) => void): ReviewPort {
  const { review, tellChanged, tellNotMade } = lateMethods(reviews, ['review', 'tellChanged', 'tellNotMade']);
  return {
    review,
    tellChanged: (...told) => void tellChanged(...told).catch(report),
    tellNotMade: (...told) => void tellNotMade(...told).catch(report),
  };
}
