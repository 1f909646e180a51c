import * as path from 'node:path';
import type * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { SharedFolder } from '../base/sharedFolder.ts';
import { SharedFolderInMemory } from '../base/sharedFolderInMemory.ts';
import type { ChatPlacesOptions, PlacePorts } from '../chat/chatPlaces.ts';
import { ConversationKeeper } from '../chat/store/conversationKeeper.ts';
import { ConversationShelf } from '../chat/store/conversationShelf.ts';
import { storeLimits } from '../chat/store/storeLimits.ts';
import { keptResultsBeside } from '../editor/keptResultFiles.ts';
import { workspaceKey } from '../editor/settingsReader.ts';
import { folderNameOf, SharedFolderOnDisk } from '../platform/sharedFolderOnDisk.ts';
import { tellOfStore } from '../views/conversationNotices.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';

export interface ConversationsJoinOptions {
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
  /** Of this window: which conversation it showed. */
  readonly workspaceState: vscode.Memento;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

const lastKey = 'duplex.lastConversation';

/** The conversations of this workspace, for each chat of the window. */
export interface ConversationsJoin extends Pick<ChatPlacesOptions, 'last'> {
  keeper(ports: Pick<PlacePorts, 'last' | 'elsewhere'>): ConversationKeeper;
}

/** Joins the conversations of this workspace to the files that all windows share. */
export async function openConversations(options: ConversationsJoinOptions, lifetime: DisposableStore): Promise<ConversationsJoin> {
  const { storageFolder, workspaceState, reporter, log } = options;
  const folder = folderNameOf(workspaceKey());
  const files = await openFiles(options, folder, lifetime);
  const last = {
    get: () => workspaceState.get<string>(lastKey),
    set: (id: string) => void workspaceState.update(lastKey, id),
  };
  const shelf = new ConversationShelf(files, folder, storeLimits, systemClock, keptResultsBeside(storageFolder, log));
  const tell = (notice: Parameters<typeof tellOfStore>[0]): void => tellOfStore(notice, reporter);
  const common = { shelf, limits: storeLimits, clock: systemClock, tell, log };
  return { last, keeper: (ports) => new ConversationKeeper({ ...common, ...ports }) };
}

/** Without a place to keep them there are still several, for as long as the window lives. */
async function openFiles(
  { storageFolder, reporter, log }: ConversationsJoinOptions,
  folder: string,
  lifetime: DisposableStore,
): Promise<SharedFolder> {
  try {
    return lifetime.add(await SharedFolderOnDisk.open(path.join(storageFolder, 'conversations'), folder, log));
  } catch (error) {
    tellOfStore({ kind: 'notStored', error }, reporter);
    return new SharedFolderInMemory();
  }
}
