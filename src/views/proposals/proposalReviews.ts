// proposals/: what clients propose to change, as diffs that a person accepts or rejects. This file holds them together.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { ProposedChange, ReviewAnswer, ReviewPort } from '../../editor/acting/actingViews.ts';
import type { Author } from '../../server/seen/ports/actingPort.ts';
import { commandId } from '../commandTable.ts';
import { nativeLink } from '../nativeText.ts';
import { ProposalDocuments, proposalMeantBy } from './proposalDocuments.ts';
import { isAnswerable, openFilesOf, type ProposalQuestion, ProposalQuestions, unseenFilesOf } from './proposalQuestions.ts';
import { ProposalThreads } from './proposalThreads.ts';
import {
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

/** How long the status bar says what is still to be seen. */
const unseenMs = 10_000;

/**
 * The diffs in which a person reviews what clients want to change. Closing one without an answer leaves the question open:
 * it is offered again, and Accept and Reject in the command palette find it.
 */
export class ProposalReviews implements ReviewPort, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #documents = this.#lifetime.add(new ProposalDocuments());
  readonly #threads = this.#lifetime.add(new ProposalThreads());
  readonly #questions = this.#lifetime.add(new ProposalQuestions());

  readonly onDidChange = this.#questions.onDidChange;

  constructor() {
    this.#lifetime.add(this.#questions.onDidChange(() => this.#refresh()));
    this.#lifetime.add(this.#documents.onDidChangeView(() => this.#noticeView()));
    this.#lifetime.add(this.#documents.onDidClose((id) => void this.#offer(id)));
  }

  /** Those that wait for an answer. */
  list(): readonly ProposalQuestion[] {
    return this.#questions.list();
  }

  async review(change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer> {
    signal.throwIfAborted();
    const id = randomUUID();
    const withdrawing = new AbortController();
    this.#documents.add(id, change);
    try {
      const answer = this.#questions.ask(id, change, AbortSignal.any([signal, withdrawing.signal]));
      announceProposal(id, change, answer);
      const shown = this.#showOpen(id, { preserveFocus: true });
      // What cannot be shown cannot be answered.
      return await Promise.race([answer, shown.then(() => answer)]);
    } finally {
      withdrawing.abort();
      await this.#documents.remove(id);
    }
  }

  tellChanged(author: Author, paths: readonly string[]): void {
    void vscode.window.showWarningMessage(changedSentence(author, paths));
  }

  tellNotMade(author: Author, isTakenBack: boolean): void {
    void vscode.window.showWarningMessage(notMadeSentence(author, isTakenBack));
  }

  /** Brings the diffs of what waits back to the person who asks for them; `argument` is the id of one that is meant. */
  async show(argument?: unknown): Promise<void> {
    const meant = typeof argument === 'string' ? this.#questions.find(argument) : undefined;
    const question = meant ?? (await this.#choose(vscode.l10n.t('Choose the change to show')));
    if (question !== undefined) {
      await this.#showOpen(question.id, { preserveFocus: false });
    }
  }

  /** `argument` is what VS Code hands to a command in an editor's title or on a thread: the proposal's URI, or the thread. */
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

  /** Escape in the box for the reason takes nothing back: the change still waits. */
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

  dispose(): void {
    this.#questions.dispose(); // before those who are told that nothing waits any more
    this.#lifetime.dispose();
  }

  async #showOpen(id: string, options: { readonly preserveFocus: boolean }): Promise<void> {
    const question = this.#questions.find(id);
    await this.#documents.show(id, question === undefined ? [] : openFilesOf(question), options);
  }

  /** To the next file of the change that has no answer yet. */
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

  /** Nobody agrees to what they have not seen: to the first of these files that the person has not, unless they are just looking. */
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

  /** The file that is meant or in front; without one, everything of the only change, or of the one that the person chooses. */
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
    // None when it has just been answered.
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
  /** The places of the files in the change. */
  readonly indexes: readonly number[];
  /** The person answers in a diff of the change, or on its thread. */
  readonly isInFront: boolean;
}

/** For `in` and, where it is about whether there are any, as it is: none is no list, because an empty one counts as true. */
function setContext(key: string, uris: readonly string[]): void {
  void vscode.commands.executeCommand('setContext', key, uris.length === 0 ? undefined : uris);
}

/** For key bindings: `{"reason": "…"}` answers without a box. */
function givenReason(argument: unknown): string | undefined {
  const isGiven = typeof argument === 'object' && argument !== null && 'reason' in argument && typeof argument.reason === 'string';
  return isGiven ? (argument.reason as string) : undefined;
}

async function askReason(change: ProposedChange): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Reason'),
    placeHolder: vscode.l10n.t('Reason (optional)'),
    prompt: vscode.l10n.t('{0} is told why you reject its change.', quotedAuthor(change.author)),
    ignoreFocusOut: true,
  });
}

const maxReasonLength = 300;

/**
 * A diff says neither why it is there, nor anything to somebody who looks elsewhere. As progress, because that is the only
 * notification that goes away with its cause; it leads to the diff by a link, because progress has no buttons. VS Code cuts what
 * does not fit into one line: the link comes first.
 */
function announceProposal(id: string, change: ProposedChange, answer: Promise<unknown>): void {
  const link = nativeLink(proposalSentence(change), commandId('showPermissionQuestions'), id);
  const title = [link, descriptionOf(change, maxReasonLength)].join(' ');
  const options = { location: vscode.ProgressLocation.Notification, title };
  void vscode.window.withProgress(options, () => Promise.allSettled([answer]));
}
