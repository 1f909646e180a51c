// proposals/: what clients propose to change, as diffs that a person accepts or rejects. This file holds them together.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { OwnCalls } from '../../consent/ownCalls.ts';
import type { ProposedChange, ReviewAnswer, ReviewPort } from '../../editor/acting/actingViews.ts';
import type { Author } from '../../server/seen/ports/actingPort.ts';
import { commandId } from '../commandTable.ts';
import { nativeLink } from '../nativeText.ts';
import { ChatReviews } from './chatReviews.ts';
import { ProposalDocuments, proposalMeantBy } from './proposalDocuments.ts';
import { isAnswerable, openFilesOf, type ProposalQuestion, ProposalQuestions, unseenFilesOf } from './proposalQuestions.ts';
import { ProposalThreads } from './proposalThreads.ts';
import {
  askerName,
  authorName,
  changedSentence,
  descriptionOf,
  filesOf,
  notMadeSentence,
  proposalSentence,
  quotedAuthor,
  stillOpenSentence,
  unseenSentence,
} from './proposalWords.ts';

/** How long, in ms, the status bar says that files are still to be seen. */
const unseenMs = 10_000;

/**
 * Lets the person review what clients want to change, in diffs. Closing a diff without an answer leaves the question open: it is
 * offered again, and Accept and Reject in the command palette find it.
 */
export class ProposalReviews implements ReviewPort, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #documents = this.#lifetime.add(new ProposalDocuments());
  readonly #threads = this.#lifetime.add(new ProposalThreads());
  readonly #questions = this.#lifetime.add(new ProposalQuestions());

  readonly #calls: Pick<OwnCalls, 'find'>;
  readonly #inChat: ChatReviews;

  readonly onDidChange = this.#questions.onDidChange;

  constructor(calls: Pick<OwnCalls, 'find'>) {
    this.#calls = calls;
    this.#inChat = new ChatReviews(calls);
    this.#lifetime.add(this.#questions.onDidChange(() => this.#refresh()));
    this.#lifetime.add(this.#documents.onDidChangeView(() => this.#noticeView()));
    this.#lifetime.add(this.#documents.onDidClose((id) => void this.#offer(id)));
  }

  /** The changes that wait for an answer. */
  list(): readonly ProposalQuestion[] {
    return this.#questions.list();
  }

  async review(proposed: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer> {
    signal.throwIfAborted();
    const id = randomUUID();
    const change = { ...proposed, author: this.#named(proposed.author) };
    const withdrawing = new AbortController();
    this.#documents.add(id, change);
    try {
      const answer = this.#questions.ask(id, change, AbortSignal.any([signal, withdrawing.signal]));
      announceProposal(id, change, answer);
      const shown = this.#showOpen(id, { preserveFocus: true });
      // When showing the diffs fails, so does the review: nobody could answer.
      return await Promise.race([answer, shown.then(() => answer)]);
    } finally {
      withdrawing.abort();
      await this.#documents.remove(id);
    }
  }

  tellChanged(author: Author, paths: readonly string[]): void {
    void vscode.window.showWarningMessage(changedSentence(this.#named(author), paths));
  }

  tellNotMade(author: Author, isTakenBack: boolean): void {
    void vscode.window.showWarningMessage(notMadeSentence(this.#named(author), isTakenBack));
  }

  /** Shows the diffs of a change again: of the one with the id `argument`, or of one that the person picks. */
  async show(argument?: unknown): Promise<void> {
    const meant = typeof argument === 'string' ? this.#questions.find(argument) : undefined;
    const question = meant ?? (await this.#choose(vscode.l10n.t('Choose the change to show')));
    if (question !== undefined) {
      await this.#showOpen(question.id, { preserveFocus: false });
    }
  }

  /**
   * Accepts a file, or all files, of a change. `argument` is what VS Code gives a command in an editor's title or on a thread:
   * the proposal's URI, or the thread.
   */
  async accept(argument: unknown, { isForAll = false, isToBeSaved = false }: AcceptOptions = {}): Promise<void> {
    const meant = await this.#pick(argument, isForAll, vscode.l10n.t('Choose the change to accept'));
    if (meant !== undefined) {
      const { id, indexes, isInFront } = meant;
      const counts = isForAll || isInFront;
      if (counts && this.#questions.accept(id, this.#documents.textsOf(id, indexes), { isToBeSaved })) {
        await this.#goOn(id, indexes);
      } else {
        await this.#leadToUnseen(id, indexes);
      }
    }
  }

  /** Rejects a file, or all files, of a change. After Escape in the box for the reason the change still waits. */
  async reject(argument: unknown, { isForAll = false } = {}): Promise<void> {
    const meant = await this.#pick(argument, isForAll, vscode.l10n.t('Choose the change to reject'));
    if (meant === undefined) {
      return;
    }
    const { id, change, indexes } = meant;
    const reason = givenReason(argument) ?? (await askReason(change));
    if (reason !== undefined && this.#questions.reject(id, indexes, reason)) {
      await this.#goOn(id, indexes);
    }
  }

  /** Accepts what has no answer yet of a change, on its card in the chat. What was not read there is shown, unless it was seen. */
  async acceptInChat(id: string, isRead: boolean): Promise<void> {
    const question = this.#questions.find(id);
    if (question === undefined) {
      return;
    }
    const indexes = openFilesOf(question);
    const texts = this.#documents.textsOf(id, indexes);
    const isReadThere = (index: number): boolean => isRead && this.#inChat.isShown(question, index, texts.get(index) ?? '');
    if (!this.#questions.acceptInChat(id, texts, isReadThere)) {
      await this.#documents.show(id, indexes.filter((index) => !isReadThere(index)).slice(0, 1), { preserveFocus: false });
    }
  }

  /** Rejects what has no answer yet of a change. */
  rejectInChat(id: string): void {
    const question = this.#questions.find(id);
    if (question !== undefined) {
      this.#questions.reject(id, openFilesOf(question), '');
    }
  }

  dispose(): void {
    this.#questions.dispose(); // before those that are told of it
    this.#lifetime.dispose();
  }

  /** A call of Duplex itself is named after who wanted it, not after the program that made it. */
  #named(author: Author): Author {
    const asker = this.#calls.find(author.ownCallId)?.asker;
    return asker === undefined ? author : { ...author, name: askerName(asker) };
  }

  async #showOpen(id: string, options: { readonly preserveFocus: boolean }): Promise<void> {
    const question = this.#questions.find(id);
    await this.#documents.show(id, question === undefined ? [] : openFilesOf(question), options);
  }

  /** Shows the next file of the change that has no answer yet, and closes those that were answered. */
  async #goOn(id: string, answered: readonly number[]): Promise<void> {
    const question = this.#questions.find(id);
    if (question === undefined) {
      return;
    }
    const open = openFilesOf(question);
    const next = open.find((index) => index > Math.max(...answered)) ?? open[0];
    if (next !== undefined) {
      await this.#documents.show(id, [next], { preserveFocus: false });
      await this.#documents.close(id, answered);
    }
  }

  /**
   * Shows the first of these files that the person has not seen: nobody accepts what they have not seen. Does nothing while they
   * are just looking at one.
   */
  async #leadToUnseen(id: string, indexes: readonly number[]): Promise<void> {
    const question = this.#questions.find(id);
    if (question === undefined || this.#questions.isBeingSeen(id)) {
      return;
    }
    const unseen = unseenFilesOf(question).filter((index) => indexes.includes(index));
    if (unseen.length > 0 && indexes.length > 1) {
      vscode.window.setStatusBarMessage(unseenSentence(unseen.length), unseenMs);
    }
    await this.#documents.show(id, (unseen.length > 0 ? unseen : indexes).slice(0, 1), { preserveFocus: false });
  }

  #noticeView(): void {
    this.#questions.list().forEach(({ id }) => this.#questions.noticeView(id, this.#documents.viewOf(id)));
  }

  async #offer(id: string): Promise<void> {
    const change = this.#questions.find(id)?.change;
    const show = vscode.l10n.t('Show');
    if (change !== undefined && (await vscode.window.showInformationMessage(stillOpenSentence(change), show)) === show) {
      await this.#showOpen(id, { preserveFocus: true });
    }
  }

  /**
   * The files that a command is about: the one that is named or in front, or else all of the only change, or of one that the
   * person picks.
   */
  async #pick(argument: unknown, isForAll: boolean, placeHolder: string): Promise<MeantFiles | undefined> {
    const meant = proposalMeantBy(argument);
    if (meant === undefined) {
      const question = await this.#choose(placeHolder);
      return question === undefined
        ? undefined
        : { id: question.id, change: question.change, indexes: openFilesOf(question), isInFront: false };
    }
    const { id } = meant;
    const question = this.#questions.find(id);
    const index = this.#documents.placeOf(id, meant.proposed);
    // The file may just have been answered.
    if (question === undefined || index === undefined) {
      return undefined;
    }
    const open = openFilesOf(question);
    return { id, change: question.change, indexes: isForAll ? open : open.filter((each) => each === index), isInFront: true };
  }

  async #choose(placeHolder: string): Promise<ProposalQuestion | undefined> {
    const all = this.#questions.list();
    if (all.length <= 1) {
      return all[0];
    }
    const items = all.map((question) => ({
      question,
      label: filesOf(question.change),
      description: authorName(question.change.author),
    }));
    return (await vscode.window.showQuickPick(items, { placeHolder }))?.question;
  }

  #refresh(): void {
    const waiting = this.#questions.list();
    const uriOf = (id: string, index: number): vscode.Uri | undefined => this.#documents.proposedUriOf(id, index);
    this.#threads.show(waiting, uriOf);
    this.#inChat.tell(waiting);
    const urisOf = (isMeant: (question: ProposalQuestion, index: number) => boolean): string[] =>
      waiting.flatMap((question) => {
        const meant = openFilesOf(question).filter((index) => isMeant(question, index));
        return meant.flatMap((index) => uriOf(question.id, index)?.toString() ?? []);
      });
    setContext(
      'duplex.openProposals',
      urisOf(() => true),
    );
    setContext('duplex.answerableProposals', urisOf(isAnswerable));
    setContext(
      'duplex.savableProposals',
      urisOf(({ change }) => change.asksToSave),
    );
    setContext(
      'duplex.severalProposals',
      urisOf(({ change }) => change.files.length > 1),
    );
  }
}

export interface AcceptOptions {
  /** All files of the change, not only the one that is meant. */
  readonly isForAll?: boolean;
  readonly isToBeSaved?: boolean;
}

interface MeantFiles {
  readonly id: string;
  readonly change: ProposedChange;
  /** The indexes of the files in the change. */
  readonly indexes: readonly number[];
  /** Whether the person answers in a diff of the change, or on its thread. */
  readonly isInFront: boolean;
}

/** Sets a context key for conditions of package.json. Without URIs it is undefined: an empty list would count as true. */
function setContext(key: string, uris: readonly string[]): void {
  void vscode.commands.executeCommand('setContext', key, uris.length === 0 ? undefined : uris);
}

/** The reason that a key binding gives with `{"reason": "…"}`; then no box asks for one. */
function givenReason(argument: unknown): string | undefined {
  const isGiven = typeof argument === 'object' && argument !== null && 'reason' in argument && typeof argument.reason === 'string';
  return isGiven ? (argument.reason as string) : undefined;
}

async function askReason(change: ProposedChange): Promise<string | undefined> {
  return vscode.window.showInputBox({
    // VS Code makes the accessible name of the box of its title and its placeholder.
    title: vscode.l10n.t('Reason'),
    prompt: vscode.l10n.t('{0} is told why you reject its change. You may leave it empty.', quotedAuthor(change.author)),
    ignoreFocusOut: true,
  });
}

/** The most characters of a change's description in its notification. */
const maxReasonLength = 300;

/**
 * Tells who proposes what and why, also to somebody who looks elsewhere. The notification is a progress, because only that goes
 * away by itself when the change is answered; a link leads to the diff, because a progress has no buttons. The link comes first:
 * VS Code cuts what does not fit into one line.
 */
function announceProposal(id: string, change: ProposedChange, answer: Promise<unknown>): void {
  const link = nativeLink(proposalSentence(change), commandId('showPermissionQuestions'), id);
  const title = [link, descriptionOf(change, maxReasonLength)].join(' ');
  const options = { location: vscode.ProgressLocation.Notification, title };
  void vscode.window.withProgress(options, () => Promise.allSettled([answer]));
}
