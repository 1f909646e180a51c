import { createContext } from 'preact';
import type { ToolChange } from '../../contract/chat/toolChoice.ts';

/** What the person can do about calls, and about what goes into the next request. */
export interface BudgetActions {
  /** That call alone. */
  readonly stopCall: (partId: string) => void;
  readonly openResult: (id: string) => void;
  readonly compact: () => void;
  readonly undoCompaction: (id: string) => void;
  readonly openInstructions: () => void;
  readonly listTools: () => void;
  readonly chooseTool: (change: ToolChange) => void;
}

const nothing = (): void => undefined;

/** For parts deep in the conversation. */
export const BudgetActionsContext = createContext<BudgetActions>({
  stopCall: nothing,
  openResult: nothing,
  compact: nothing,
  undoCompaction: nothing,
  openInstructions: nothing,
  listTools: nothing,
  chooseTool: nothing,
});
