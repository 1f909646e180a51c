import * as vscode from 'vscode';
import type { Disposable } from '../base/lifecycle.ts';
import type { ConversationKeeper } from '../chat/store/conversationKeeper.ts';
import { maxTitleLength, type ConversationList, type conversationsToHost } from '../contract/chat/conversations.ts';
import { titleOf } from '../chat/store/storedText.ts';
import { conversationMarkdown } from './conversationMarkdown.ts';
import { nativeText } from './nativeText.ts';
import type { Handlers } from './webviewLink.ts';

/** What the person does with a conversation, wherever in this window it is shown. */
export interface ConversationActs {
  /** Of the chat that shows it, or else of this one. */
  keeperOf(id: string): ConversationKeeper;
  open(id: string): Promise<void>;
  /** Without an id: the one that is shown. */
  openInEditor(id: string | undefined): Promise<void>;
  delete(id: string): Promise<void>;
}

export interface ConversationsPageOptions {
  /** Of the chat that the page shows now. */
  readonly keeper: () => ConversationKeeper;
  readonly post: (list: ConversationList) => void;
  readonly report: (error: unknown) => void;
  readonly acts: ConversationActs;
}

/** The list of conversations in one page: sent when the page shows it, and again whenever it changes. */
export class ConversationsPage implements Disposable {
  readonly #options: ConversationsPageOptions;
  /** Undefined while the page does not show the list. */
  #search: string | undefined;
  #asked = 0;

  constructor(options: ConversationsPageOptions) {
    this.#options = options;
  }

  /** Until it is disposed: the list is sent again whenever it is another one for the chat that is shown now. */
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

/** As a document that the person can look through, and save where they like. */
async function exportConversation(keeper: ConversationKeeper, id: string): Promise<void> {
  const content = conversationMarkdown(await keeper.read(id), vscode.l10n.t);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
}
