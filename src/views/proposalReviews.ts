import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { ProposedChange, ReviewAnswer, ReviewPort } from '../editor/acting/actingViews.ts';
import type { Author } from '../server/seen/ports/actingPort.ts';
import { changeMeantBy, ProposalDocuments } from './proposalDocuments.ts';
import { ProposalQuestions, type ProposalQuestion } from './proposalQuestions.ts';
import { authorName, changedSentence, filesOf, proposalSentence, quotedAuthor, stillOpenSentence } from './proposalWords.ts';

/**
 * The diffs in which a person reviews what clients want to change. Closing one without an answer leaves the question open:
 * it is offered again, and Accept and Reject in the command palette find it.
 */
export class ProposalReviews implements ReviewPort, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #documents = this.#lifetime.add(new ProposalDocuments());
  readonly #questions = this.#lifetime.add(new ProposalQuestions());

  readonly onDidChange = this.#questions.onDidChange;

  constructor() {
    this.#lifetime.add(this.#questions.onDidChange(() => this.#tellContext()));
    this.#lifetime.add(this.#documents.onDidOpen((id) => this.#questions.noticeShown(id)));
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
      announce(change, answer);
      const shown = this.#documents.show(id, { preserveFocus: true });
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

  /** Brings the diffs of what waits back to the person who asks for them. */
  async show(): Promise<void> {
    const question = await this.#choose(vscode.l10n.t('Choose the change to show'));
    if (question !== undefined) {
      await this.#documents.show(question.id, { preserveFocus: false });
    }
  }

  /** `argument` is what VS Code hands to a command in an editor's title: the proposal's URI. */
  async accept(argument: unknown): Promise<void> {
    const question = await this.#pick(argument, vscode.l10n.t('Choose the change to accept'));
    if (question !== undefined) {
      this.#questions.accept(question.id, this.#documents.textsOf(question.id));
    }
  }

  /** Escape in the box for the reason takes nothing back: the change still waits. */
  async reject(argument: unknown): Promise<void> {
    const question = await this.#pick(argument, vscode.l10n.t('Choose the change to reject'));
    if (question === undefined) {
      return;
    }
    const reason = givenReason(argument) ?? (await askReason(question.change));
    if (reason !== undefined) {
      this.#questions.reject(question.id, reason);
    }
  }

  dispose(): void {
    this.#questions.dispose(); // before those who are told that nothing waits any more
    this.#lifetime.dispose();
  }

  async #offer(id: string): Promise<void> {
    const change = this.#questions.find(id)?.change;
    const show = vscode.l10n.t('Show');
    if (change !== undefined && (await vscode.window.showInformationMessage(stillOpenSentence(change), show)) === show) {
      await this.#documents.show(id, { preserveFocus: true });
    }
  }

  /** The one that is meant, the one in front, the only one, or the one the person chooses. */
  async #pick(argument: unknown, placeHolder: string): Promise<ProposalQuestion | undefined> {
    const meant = changeMeantBy(argument);
    // None when it has just been answered.
    return meant === undefined ? this.#choose(placeHolder) : this.#questions.find(meant);
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

  #tellContext(): void {
    const waiting = this.#questions.list();
    const armed = waiting.filter(({ isArmed }) => isArmed);
    const uris = armed.flatMap(({ id }) => this.#documents.proposedUrisOf(id).map((uri) => uri.toString()));
    void vscode.commands.executeCommand('setContext', 'duplex.hasProposals', waiting.length > 0);
    void vscode.commands.executeCommand('setContext', 'duplex.answerableProposals', uris);
  }
}

/**
 * The diff speaks for itself, but neither of its purpose nor to somebody who looks elsewhere. As progress, because that is
 * the only notification that goes away with its cause.
 */
function announce(change: ProposedChange, answer: Promise<unknown>): void {
  if (change.description !== undefined || !vscode.window.state.focused) {
    const options = { location: vscode.ProgressLocation.Notification, title: proposalSentence(change) };
    void vscode.window.withProgress(options, () => Promise.allSettled([answer]));
  }
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
