import * as vscode from 'vscode';
import { isAppError, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ConversationKeeper, StoreNotice } from '../../chat/store/conversationKeeper.ts';
import { storeLimits } from '../../chat/store/storeLimits.ts';
import { titleOf } from '../../chat/store/storedText.ts';
import { type ConversationList, type conversationsToHost, maxTitleLength } from '../../contract/chat/conversations.ts';
import { type ErrorReporter, errorSentence } from '../errorReporter.ts';
import { nativeText } from '../nativeText.ts';
import type { Handlers } from '../pages/webviewLink.ts';
import { conversationMarkdown } from './conversationMarkdown.ts';

/** What the person can do with a conversation in the list, wherever in this window it is shown. */
export interface ConversationActs {
  /** The keeper of the chat that shows this conversation, or else that of the chat with the list. */
  keeperOf(id: string): ConversationKeeper;
  open(id: string): Promise<void>;
  /** Opens a conversation in a tab; without an id, the one that this page shows. */
  openInEditor(id: string | undefined): Promise<void>;
  delete(id: string): Promise<void>;
}

export interface ConversationsPageOptions {
  /** The keeper of the chat that the page shows now. */
  readonly keeper: () => ConversationKeeper;
  readonly post: (list: ConversationList) => void;
  readonly report: (error: unknown) => void;
  readonly acts: ConversationActs;
}

/** Sends the list of conversations to one page: when the page shows the list, and again whenever it changes. */
export class ConversationsPage implements Disposable {
  readonly #options: ConversationsPageOptions;
  /** What the person searches for; undefined while the page does not show the list. */
  #search: string | undefined;
  #asked = 0;

  constructor(options: ConversationsPageOptions) {
    this.#options = options;
  }

  /** Follows the chat that the page shows now, until it is disposed: the list is sent whenever it changes. */
  follow(): Disposable {
    this.#send();
    return this.#options.keeper().onDidChange(() => this.#send());
  }

  handlers(): Handlers<typeof conversationsToHost> {
    const { keeper, report, acts } = this.#options;
    const run = (work: Promise<unknown>): void => void work.then(() => this.#send(), report);
    return {
      'conversations/show': ({ search }) => {
        this.#search = search;
        this.#send();
      },
      'conversations/hide': () => (this.#search = undefined),
      'conversations/open': ({ id }) => run(acts.open(id)),
      'conversations/rename': ({ id }) => run(renameConversation(acts.keeperOf(id), id)),
      'conversations/export': ({ id }) => run(exportConversation(acts.keeperOf(id), id)),
      'conversations/delete': ({ id }) => run(acts.delete(id)),
      'conversations/undoDelete': ({ id }) => run(keeper().undoDelete(id)),
      'conversations/openInEditor': ({ id }) => run(acts.openInEditor(id)),
      'conversations/openCopy': () => run(keeper().openCopy()),
    };
  }

  dispose(): void {
    this.#search = undefined;
  }

  #send(): void {
    const search = this.#search;
    if (search === undefined) {
      return;
    }
    this.#asked += 1;
    const asked = this.#asked;
    const isWanted = (): boolean => asked === this.#asked && this.#search === search;
    this.#options
      .keeper()
      .list(search, isWanted)
      .then((list) => {
        if (isWanted()) {
          this.#options.post(list);
        }
      }, this.#options.report);
  }
}

async function renameConversation(keeper: ConversationKeeper, id: string): Promise<void> {
  const before = titleOf(await keeper.read(id));
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Conversation'),
    prompt: vscode.l10n.t('The new name of “{0}”', nativeText(before, 60)),
    value: before,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ''
        ? vscode.l10n.t('A conversation needs a name.')
        : text.length > maxTitleLength
          ? vscode.l10n.t('A name has at most {0} characters.', maxTitleLength)
          : undefined,
  });
  if (title !== undefined && title.trim() !== '') {
    await keeper.rename(id, title.trim());
  }
}

/** Opens a conversation as an untitled document, which the person can look through and save where they like. */
async function exportConversation(keeper: ConversationKeeper, id: string): Promise<void> {
  const content = await conversationMarkdown(await keeper.read(id), vscode.l10n.t);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
}

const megabyte = 1_000_000;

/** Tells the person that conversations were removed or shortened, or cannot be stored. */
export function tellOfStore(notice: StoreNotice, reporter: ErrorReporter): void {
  const { t } = vscode.l10n;
  switch (notice.kind) {
    case 'removedOldest':
      void vscode.window.showInformationMessage(
        notice.count === 1
          ? t('The oldest conversation was removed: Duplex keeps {0} of a workspace, and {1} MB in all.', ...kept())
          : t('The {2} oldest conversations were removed: Duplex keeps {0} of a workspace, and {1} MB in all.', ...kept(), notice.count),
      );
      return;
    case 'shortened':
      reporter.warn(
        t(
          'The oldest messages of this conversation are no longer kept: it has more than {0} MB.',
          storeLimits.maxConversationBytes / megabyte,
        ),
      );
      return;
    case 'notStored':
      reporter.warn(t('The conversation cannot be stored, and is gone when this window closes: {0}', nativeText(wordsOf(notice.error))));
  }
}

function wordsOf(error: unknown): string {
  return isAppError(error) ? errorSentence(error) : messageOf(error);
}

function kept(): [number, number] {
  return [storeLimits.maxConversations, storeLimits.maxTotalBytes / megabyte];
}

/** Removes the conversations of this workspace or of all, after a question. Files that cannot be read are left alone. */
export async function clearConversations(keeper: Pick<ConversationKeeper, 'clear'>): Promise<void> {
  const here = vscode.l10n.t('Of This Workspace');
  const everywhere = vscode.l10n.t('Of All Workspaces');
  const detail = vscode.l10n.t(
    'They are removed for good. A conversation that another window is answering in stays, and so do files that cannot be read.',
  );
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove all conversations with Duplex?'),
    { modal: true, detail },
    here,
    everywhere,
  );
  if (picked === undefined) {
    return;
  }
  const count = await keeper.clear(picked === here ? 'workspace' : 'all');
  void vscode.window.showInformationMessage(
    count === 1 ? vscode.l10n.t('One conversation was removed.') : vscode.l10n.t('{0} conversations were removed.', count),
  );
}
