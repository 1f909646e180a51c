import type { ChatView } from '../../views/chatView.ts';
import type { ConsentPanel } from '../../views/consentPanel.ts';
import type { LateReviews } from '../../views/lateReviews.ts';
import type { PromptPreviews } from '../../views/promptPreviews.ts';
import type { ReadOnlyDocuments } from '../../views/readOnlyDocuments.ts';
import type { ResourceDocuments } from '../../views/resourceDocuments.ts';
import type { ServersTree } from '../../views/serversTree.ts';
import type { TrafficDoor } from '../../views/trafficDoor.ts';
import type { WaitingQuestions } from '../../views/waitingQuestions.ts';
import type { ChatJoin } from '../chatJoin.ts';
import type { Pages } from '../pagesJoin.ts';
import type { ToolRunnerJoin } from '../toolRunnerJoin.ts';
import type { PagesJoinOptions } from '../viewsJoinOptions.ts';

/** What commands act on. */
export interface CommandContext extends PagesJoinOptions {
  readonly chat: ChatJoin;
  readonly panel: ConsentPanel;
  readonly pages: Omit<Pages, 'dispose'>;
  readonly trafficView: TrafficDoor;
  readonly reviews: LateReviews;
  readonly waiting: WaitingQuestions;
  readonly chatView: ChatView;
  readonly serversTree: ServersTree;
  readonly documents: ReadOnlyDocuments;
  readonly resources: ResourceDocuments;
  readonly previews: PromptPreviews;
  readonly byHand: ToolRunnerJoin;
}
