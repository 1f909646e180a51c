import * as path from 'node:path';
import type * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import { ChatBudget } from '../chat/budget/chatBudget.ts';
import { personalInstructions } from '../chat/systemPrompt.ts';
import type { ChatTools } from '../chat/chatTools.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { KeptResultFiles, keptResultsFolder } from '../editor/keptResultFiles.ts';
import { workspaceKey, type SettingsReader } from '../editor/settingsReader.ts';
import { folderNameOf } from '../platform/sharedFolderOnDisk.ts';

export interface ChatBudgetJoinOptions {
  readonly tools: ChatTools;
  readonly registry: HostRegistry;
  readonly settings: SettingsReader;
  readonly storageFolder: string;
  readonly workspaceState: vscode.Memento;
  readonly log: Log;
}

const choiceKey = 'duplex.toolChoice';

/** Joins the chat's budget to what is kept for this workspace. */
export function joinChatBudget({ tools, registry, settings, storageFolder, workspaceState, log }: ChatBudgetJoinOptions): ChatBudget {
  // The name that its conversations have, too: they are removed together.
  const folder = folderNameOf(workspaceKey());
  return new ChatBudget({
    tools,
    surroundings: () => ({ instructions: personalInstructions(settings.get('duplex.chat.instructions')) }),
    hasResources: () =>
      registry.servers().some(({ state, resources, templates }) => state.kind === 'ready' && resources.length + templates.length > 0),
    results: new KeptResultFiles(path.join(keptResultsFolder(storageFolder), folder), log),
    choice: {
      read: () => workspaceState.get(choiceKey),
      write: async (choice) => workspaceState.update(choiceKey, choice),
    },
  });
}
