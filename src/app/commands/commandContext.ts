import type { ChatView } from '../../views/chat/chatView.ts';
import type { Late } from '../../base/late.ts';
import type { ProposalReviews } from '../../views/proposals/proposalReviews.ts';
import type { ConsentPanel } from '../../views/questions/consentPanel.ts';
import type { WaitingQuestions } from '../../views/questions/waitingQuestions.ts';
import type { ReadOnlyDocuments } from '../../views/native/readOnlyDocuments.ts';
import type { PromptPreviews } from '../../views/resources/promptPreviews.ts';
import type { ResourceDocuments } from '../../views/resources/resourceDocuments.ts';
import type { ServersTree } from '../../views/servers/serversTree.ts';
import type { ChatJoin } from '../chatJoin.ts';
import type { ToolRunnerJoin } from '../views/toolRunnerJoin.ts';
import type { PagesJoinOptions } from '../views/viewsJoinOptions.ts';
import type { Pages } from '../views/pagesJoin.ts';

/** Everything that commands act on. */
export interface CommandContext extends PagesJoinOptions {
  readonly chat: ChatJoin;
  readonly panel: ConsentPanel;
  readonly pages: Omit<Pages, 'dispose'>;
  readonly reviews: Late<ProposalReviews>;
  readonly waiting: WaitingQuestions;
  readonly chatView: ChatView;
  readonly serversTree: ServersTree;
  readonly documents: ReadOnlyDocuments;
  readonly resources: ResourceDocuments;
  readonly previews: PromptPreviews;
  readonly byHand: ToolRunnerJoin;
}
