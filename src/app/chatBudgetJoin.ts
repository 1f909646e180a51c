import * as path from 'node:path';
import type * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import { ChatBudget } from '../chat/budget/chatBudget.ts';
import { ProjectInstructions } from '../chat/content/projectInstructions.ts';
import { personalInstructions } from '../chat/systemPrompt.ts';
import type { ChatTools } from '../chat/chatTools.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { createInstructionFiles } from '../editor/context/instructionFiles.ts';
import { KeptResultFiles, keptResultsFolder } from '../editor/keptResultFiles.ts';
import { workspaceKey, type SettingsReader } from '../editor/settingsReader.ts';
import { listWorkspaceFolders } from '../editor/shared/workspaceFolders.ts';
import { folderNameOf } from '../platform/sharedFolderOnDisk.ts';
import { noGrants } from '../server/seen/clientGrants.ts';
import { createVisibility } from '../server/seen/withheld/visibility.ts';

export interface ChatBudgetJoinOptions {
  readonly tools: ChatTools;
  readonly registry: HostRegistry;
  readonly settings: SettingsReader;
  readonly storageFolder: string;
  readonly workspaceState: vscode.Memento;
  /** Folders of the editor's own that nobody is shown. */
  readonly neverShown: readonly string[];
  readonly log: Log;
}

const choiceKey = 'duplex.toolChoice';
const allowedKey = 'duplex.allowedInstructions';
const maxAllowedTexts = 10;

/** Joins the chat's budget to what is kept for this workspace. */
export function joinChatBudget(options: ChatBudgetJoinOptions): ChatBudget {
  const { tools, registry, settings, storageFolder, workspaceState, log } = options;
  // The name that its conversations have, too: they are removed together.
  const folder = folderNameOf(workspaceKey());
  return new ChatBudget({
    tools,
    surroundings: () => ({ instructions: personalInstructions(settings.get('duplex.chat.instructions')) }),
    project: joinProjectInstructions(options),
    hasResources: () =>
      registry.servers().some(({ state, resources, templates }) => state.kind === 'ready' && resources.length + templates.length > 0),
    results: new KeptResultFiles(path.join(keptResultsFolder(storageFolder), folder), log),
    choice: {
      read: () => workspaceState.get(choiceKey),
      write: async (choice) => workspaceState.update(choiceKey, choice),
    },
  });
}

/** The project's own instructions: what leads out of the workspace, or is withheld from clients, is none of them. */
function joinProjectInstructions({ workspaceState, neverShown, log }: ChatBudgetJoinOptions): ProjectInstructions {
  const { isShown } = createVisibility({ folders: listWorkspaceFolders, neverShown, grants: noGrants });
  const texts = (): Readonly<Record<string, string>> => workspaceState.get(allowedKey, {});
  return new ProjectInstructions({
    files: createInstructionFiles(isShown, log),
    allowed: {
      get: (uri) => texts()[uri],
      set: (uri, text) => {
        const others = Object.entries(texts()).filter(([other]) => other !== uri);
        void workspaceState.update(allowedKey, Object.fromEntries([...others, [uri, text]].slice(-maxAllowedTexts)));
      },
    },
    log,
  });
}
