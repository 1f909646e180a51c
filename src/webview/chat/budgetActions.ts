import { createContext } from 'preact';
import type { ToolChange } from '../../contract/chat/toolChoice.ts';

/** What the person can do about what goes into the next request. */
export interface BudgetActions {
  readonly openResult: (id: string) => void;
  readonly compact: () => void;
  readonly undoCompaction: (id: string) => void;
  readonly listTools: () => void;
  readonly chooseTool: (change: ToolChange) => void;
}

const nothing = (): void => undefined;

/** For parts deep in the conversation. */
export const BudgetActionsContext = createContext<BudgetActions>({
  openResult: nothing,
  compact: nothing,
  undoCompaction: nothing,
  listTools: nothing,
  chooseTool: nothing,
});
