import type { Clock } from '../../base/clock.ts';
import type { FolderFile } from '../../base/sharedStorage.ts';
import type { ConversationList } from '../../contract/chat/conversations.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { ConversationShelf } from './conversationShelf.ts';
import type { StoreLimits } from './storeLimits.ts';

/** How long, in ms, a deleted conversation is kept, if the room is not needed. */
const keepDeletedMs = 24 * 60 * 60 * 1_000;

interface FiledConversation extends FolderFile {
  readonly folder: string;
}

/** Deletes a conversation; it can be restored for a while, with what was streamed last. */
export async function deleteConversation(shelf: ConversationShelf, id: string): Promise<void> {
  if (await shelf.isHeldElsewhere(id)) {
    throw chatError('chat.answeredElsewhere');
  }
  await shelf.files.move(shelf.path(id, 'json'), shelf.path(id, 'deleted'));
}

/** Restores a deleted conversation; false when it is too late. When another window has written it anew, that one stays. */
export async function putBack(shelf: ConversationShelf, id: string): Promise<boolean> {
  const hold = await shelf.hold(id);
  if (hold === undefined) {
    throw chatError('chat.answeredElsewhere');
  }
  try {
    if ((await shelf.revisionOf(id)) !== undefined) {
      return true;
    }
    await shelf.files.move(shelf.path(id, 'deleted'), shelf.path(id, 'json'));
    return (await shelf.revisionOf(id)) !== undefined;
  } finally {
    await hold.release();
  }
}

interface DeletedConversation {
  readonly id: string;
  readonly title: string;
  readonly wasShown: boolean;
}

/** The conversation that was deleted last in one chat. It can be restored until the next one is deleted or the window closes. */
export class LastDeleted {
  readonly #shelf: ConversationShelf;
  readonly #onDidChange: () => void;
  #deleted: DeletedConversation | undefined;

  constructor(shelf: ConversationShelf, onDidChange: () => void) {
    this.#shelf = shelf;
    this.#onDidChange = onDidChange;
  }

  /** What the list of conversations says of it. */
  get listed(): Pick<ConversationList, 'deleted'> {
    return this.#deleted === undefined ? {} : { deleted: { id: this.#deleted.id, title: this.#deleted.title } };
  }

  async delete(conversation: DeletedConversation): Promise<void> {
    await deleteConversation(this.#shelf, conversation.id);
    this.#set(conversation);
  }

  /** Restores it; undefined when another one was deleted last. */
  async restore(id: string): Promise<DeletedConversation | undefined> {
    const deleted = this.#deleted;
    if (deleted?.id !== id) {
      return undefined;
    }
    this.#set(undefined); // a second press finds nothing to restore
    const isBack = await putBack(this.#shelf, id).catch((error: unknown) => {
      this.#set(this.#deleted ?? deleted);
      throw error;
    });
    if (!isBack) {
      throw chatError('chat.savedConversationGone');
    }
    return deleted;
  }

  forget(): void {
    this.#deleted = undefined;
  }

  #set(deleted: DeletedConversation | undefined): void {
    this.#deleted = deleted;
    this.#onDidChange();
  }
}

/** Removes the oldest conversations that are over the limits, and gives back how many. Those in `open` are kept. */
export async function prune(shelf: ConversationShelf, limits: StoreLimits, open: readonly string[], clock: Clock): Promise<number> {
  await forgetDeleted(shelf, clock);
  const { entries } = await shelf.list();
  const removable = entries.filter(({ id, isHeldElsewhere }) => !isHeldElsewhere && !open.includes(id)).reverse();
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  let count = entries.length;
  let removed = 0;
  for (const { id, bytes: size } of removable) {
    if (count <= limits.maxConversations && bytes <= limits.maxWorkspaceBytes) {
      break;
    }
    await removeFiles(shelf, shelf.folder, id);
    [bytes, count, removed] = [bytes - size, count - 1, removed + 1];
  }
  return removed + (await pruneAll(shelf, limits, open));
}

/** Removes the oldest conversations of all workspaces. Files that cannot be read are left alone. */
async function pruneAll(shelf: ConversationShelf, limits: StoreLimits, open: readonly string[]): Promise<number> {
  const files = await everyFile(shelf);
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const conversations = files
    .filter(({ name, folder }) => name.endsWith('.json') && !(folder === shelf.folder && open.includes(name.slice(0, -'.json'.length))))
    .sort((one, other) => one.changedAt - other.changedAt);
  let removed = 0;
  for (const { folder, name, bytes: size } of conversations) {
    if (bytes <= limits.maxTotalBytes) {
      break;
    }
    const id = name.slice(0, -'.json'.length);
    if (!(await shelf.files.isHeldByOther(`${folder}/${id}.answering`))) {
      await removeFiles(shelf, folder, id);
      [bytes, removed] = [bytes - size, removed + 1];
    }
  }
  return removed;
}

/** Removes all conversations of this workspace, or of all, but for unreadable files and those being answered; gives back how many. */
export async function clear(shelf: ConversationShelf, which: 'workspace' | 'all'): Promise<number> {
  const files = (await everyFile(shelf)).filter(({ folder }) => which === 'all' || folder === shelf.folder);
  let removed = 0;
  for (const { folder, name } of files) {
    const id = /^([\w-]{1,100})\.(json|live|deleted)$/.exec(name)?.[1];
    if (id !== undefined && !(await shelf.files.isHeldByOther(`${folder}/${id}.answering`))) {
      await removeFiles(shelf, folder, id);
      removed += name.endsWith('.json') ? 1 : 0;
    }
  }
  return removed;
}

async function everyFile(shelf: ConversationShelf): Promise<readonly FiledConversation[]> {
  const found: FiledConversation[] = [];
  for (const folder of await shelf.files.folders()) {
    found.push(...(await shelf.files.list(folder)).map((file) => ({ ...file, folder })));
  }
  return found;
}

async function removeFiles({ files, beside }: ConversationShelf, folder: string, id: string): Promise<void> {
  for (const kind of ['json', 'live', 'deleted']) {
    await files.remove(`${folder}/${id}.${kind}`);
  }
  await beside?.remove(folder, id);
}

/** Removes deleted conversations whose time is over, and streamed changes whose conversation is gone. */
async function forgetDeleted({ files, folder, beside }: ConversationShelf, clock: Clock): Promise<void> {
  const old = ({ changedAt }: FolderFile): boolean => clock.wallTime() - changedAt > keepDeletedMs;
  const found = await files.list(folder);
  const names = new Set(found.map(({ name }) => name));
  const kept = new Set(
    found
      .filter((file) => file.name.endsWith('.json') || (file.name.endsWith('.deleted') && !old(file)))
      .map(({ name }) => name.replace(/\.\w+$/, '.live')),
  );
  const gone = found.filter(
    (file) => old(file) && (file.name.endsWith('.deleted') || (file.name.endsWith('.live') && !kept.has(file.name))),
  );
  for (const { name } of gone) {
    await files.remove(`${folder}/${name}`);
    const id = name.replace(/\.\w+$/, '');
    // Another window may have gone on with the conversation and written it anew.
    if (!names.has(`${id}.json`)) {
      await beside?.remove(folder, id);
    }
  }
}
