import { createHash } from 'node:crypto';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import { ChatBudget } from '../chat/budget/chatBudget.ts';
import type { ChatTools } from '../chat/chatTools.ts';
import { KeptResultFiles } from '../editor/keptResultFiles.ts';
import { workspaceKey } from '../editor/settingsReader.ts';

export interface ChatBudgetJoinOptions {
  readonly tools: ChatTools;
  readonly storageFolder: string;
  readonly workspaceState: vscode.Memento;
  readonly log: Log;
}

const choiceKey = 'duplex.toolChoice';

/** Joins the chat's budget to what is kept for this workspace. */
export function joinChatBudget({ tools, storageFolder, workspaceState, log }: ChatBudgetJoinOptions): ChatBudget {
  const folder = createHash('sha256').update(workspaceKey()).digest('hex').slice(0, 32);
  return new ChatBudget({
    tools,
    results: new KeptResultFiles(path.join(storageFolder, 'results', folder), log),
    choice: {
      read: () => workspaceState.get(choiceKey),
      write: async (choice) => workspaceState.update(choiceKey, choice),
    },
  });
}
