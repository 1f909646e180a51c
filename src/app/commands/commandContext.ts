import type { ChatView } from '../../views/chatView.ts';
import type { ConsentPanel } from '../../views/consentPanel.ts';
import type { ProposalReviews } from '../../views/proposalReviews.ts';
import type { ReadOnlyDocuments } from '../../views/readOnlyDocuments.ts';
import type { ServersTree } from '../../views/serversTree.ts';
import type { TrafficView } from '../../views/trafficView.ts';
import type { WaitingQuestions } from '../../views/waitingQuestions.ts';
import type { ChatJoin } from '../chatJoin.ts';
import type { Pages } from '../pagesJoin.ts';
import type { ResourcesJoin } from '../resourcesJoin.ts';
import type { ToolRunnerJoin } from '../toolRunnerJoin.ts';
import type { PagesJoinOptions } from '../viewsJoinOptions.ts';

/** What commands act on. */
export interface CommandContext extends PagesJoinOptions, ResourcesJoin {
  readonly chat: ChatJoin;
  readonly panel: ConsentPanel;
  readonly pages: Omit<Pages, 'dispose'>;
  readonly trafficView: TrafficView;
  readonly reviews: ProposalReviews;
  readonly waiting: WaitingQuestions;
  readonly chatView: ChatView;
  readonly serversTree: ServersTree;
  readonly documents: ReadOnlyDocuments;
  readonly byHand: ToolRunnerJoin;
}
