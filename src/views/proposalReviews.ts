import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { ProposalFiles, proposalScheme } from '../editor/acting/proposalFiles.ts';
import type { ProposedChange, ProposedFile, ReviewAnswer, ReviewDesk } from '../editor/acting/reviewDesk.ts';
import type { Author, MessageLevel } from '../server/seen/ports/actingPort.ts';
import { authorName, changedSentence, filesOf, messageSentence, proposalSentence, stillOpenSentence, tabTitle } from './proposalWords.ts';

/** As in every question: what has just appeared under the pointer is not yet agreed to. */
const armingMs = 500;
/** A tab that is moved is closed and opened: only one that stays closed was closed. */
const movedMs = 500;
/** How long one diff may hold up the next. */
const openingMs = 3_000;

interface OpenReview {
  readonly id: string;
  readonly change: ProposedChange;
  readonly proposals: readonly Proposal[];
  isArmed: boolean;
  /** Resolves when it is answered or withdrawn. */
  readonly over: Promise<void>;
  settle(answer: ReviewAnswer): void;
}

interface Proposal {
  readonly file: ProposedFile;
  readonly original: vscode.Uri;
  readonly proposed: vscode.Uri;
}

/**
 * The diffs in which a person reviews what clients want to change. Closing one without an answer leaves the question open:
 * it is offered again, and Accept and Reject in the command palette find it.
 */
export class ProposalReviews implements ReviewDesk, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #files = this.#lifetime.add(new ProposalFiles());
  readonly #open = new Map<string, OpenReview>();

  readonly #showError: (sentence: string) => void;

  constructor(showError: (sentence: string) => void) {
    this.#showError = showError;
    this.#lifetime.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        this.#noticeOpened(opened);
        this.#noticeClosed(closed);
      }),
    );
    // What a reload of the window left behind belongs to nobody.
    void this.#closeTabs((uri) => !this.#open.has(idOf(uri)));
  }

  async review(change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer> {
    signal.throwIfAborted();
    const id = randomUUID();
    const proposals = change.files.map((file) => this.#write(file, id));
    const ending = new AbortController();
    const over = new Promise<void>((resolve) => {
      ending.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      return await new Promise<ReviewAnswer>((resolve, reject) => {
        this.#open.set(id, { id, change, proposals, isArmed: false, over, settle: resolve });
        signal.addEventListener('abort', () => reject(new DOMException('The question was withdrawn.', 'AbortError')), { once: true });
        this.#tellContext();
        this.#announce(id);
        this.#show(id).catch(reject);
      });
    } finally {
      this.#open.delete(id);
      ending.abort();
      this.#tellContext();
      await this.#closeTabs((uri) => idOf(uri) === id);
      for (const { original, proposed } of proposals) {
        this.#files.remove(original);
        this.#files.remove(proposed);
      }
    }
  }

  tellChanged(author: Author, paths: readonly string[]): void {
    void vscode.window.showWarningMessage(changedSentence(author, paths));
  }

  showMessage(author: Author, level: MessageLevel, message: string): void {
    const sentence = messageSentence(author, message);
    switch (level) {
      case 'info':
        void vscode.window.showInformationMessage(sentence);
        break;
      case 'warning':
        void vscode.window.showWarningMessage(sentence);
        break;
      case 'error':
        this.#showError(sentence);
    }
  }

  terminalName(author: Author): string {
    return authorName(author);
  }

  changeLabel(author: Author): string {
    return vscode.l10n.t('Proposed by {0}', authorName(author));
  }

  /** `argument` is what VS Code hands to a command in an editor's title: the proposal's URI. */
  async accept(argument: unknown): Promise<void> {
    const review = await this.#pick(argument, vscode.l10n.t('Choose the change to accept'));
    if (review?.isArmed !== true) {
      return;
    }
    const texts = review.proposals.map(({ proposed }) => documentOf(proposed)?.getText() ?? this.#files.textOf(proposed));
    review.settle({ kind: 'accepted', texts });
  }

  /** Escape in the box for the reason takes nothing back: the change still waits. */
  async reject(argument: unknown): Promise<void> {
    const review = await this.#pick(argument, vscode.l10n.t('Choose the change to reject'));
    if (review === undefined) {
      return;
    }
    const reason = givenReason(argument) ?? (await askReason(review.change));
    if (reason !== undefined) {
      review.settle({ kind: 'rejected', ...(reason.trim() !== '' && { reason: reason.trim() }) });
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** The path is the file's own: it is what the breadcrumbs show. */
  #write(file: ProposedFile, id: string): Proposal {
    const isInWorkspace = !/^[a-z][a-z0-9+.-]+:/i.test(file.path);
    const path = `/${isInWorkspace ? file.path : file.uri.path.slice(file.uri.path.lastIndexOf('/') + 1)}`;
    const proposed = vscode.Uri.from({ scheme: proposalScheme, authority: id, path });
    const empty = proposed.with({ query: 'none' });
    this.#files.add(proposed, file.after);
    if (file.isNew) {
      this.#files.add(empty, '', { isReadOnly: true });
    }
    return { file, original: file.isNew ? empty : file.uri, proposed };
  }

  /** The first file in front, the keyboard where it was. */
  async #show(id: string): Promise<void> {
    const review = this.#open.get(id);
    for (const [index, { file, original, proposed }] of [...(review?.proposals.entries() ?? [])].reverse()) {
      // The text is ours: whatever encoding the person's files have.
      const document = await vscode.workspace.openTextDocument(proposed, { encoding: 'utf8' });
      if (file.languageId !== undefined && document.languageId !== file.languageId) {
        await vscode.languages.setTextDocumentLanguage(document, file.languageId);
      }
      if (review === undefined || !this.#open.has(id)) {
        return;
      }
      const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus: true };
      const opened = vscode.commands.executeCommand('vscode.diff', original, proposed, tabTitle(review.change, index), options);
      // The promise of a diff that another one covers at once is never kept.
      await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, openingMs))]);
    }
    if (!this.#open.has(id)) {
      await this.#closeTabs((uri) => idOf(uri) === id);
    }
  }

  /**
   * The diff speaks for itself, but neither of its purpose nor to somebody who looks elsewhere. As progress, because that is
   * the only notification that goes away with its cause.
   */
  #announce(id: string): void {
    const review = this.#open.get(id);
    if (review !== undefined && (review.change.description !== undefined || !vscode.window.state.focused)) {
      const options = { location: vscode.ProgressLocation.Notification, title: proposalSentence(review.change) };
      void vscode.window.withProgress(options, () => review.over);
    }
  }

  async #offer(review: OpenReview, sentence: string): Promise<void> {
    const show = vscode.l10n.t('Show');
    if ((await vscode.window.showInformationMessage(sentence, show)) === show && this.#open.has(review.id)) {
      await this.#show(review.id);
    }
  }

  #noticeOpened(opened: readonly vscode.Tab[]): void {
    for (const uri of opened.map(proposalOf)) {
      const review = uri === undefined ? undefined : this.#open.get(idOf(uri));
      if (review !== undefined && !review.isArmed) {
        setTimeout(() => {
          review.isArmed = true;
          this.#tellContext();
        }, armingMs);
      }
    }
  }

  #noticeClosed(closed: readonly vscode.Tab[]): void {
    const ids = new Set(closed.map(proposalOf).flatMap((uri) => (uri === undefined ? [] : [idOf(uri)])));
    for (const id of ids) {
      setTimeout(() => {
        const review = this.#open.get(id);
        if (review !== undefined && !allTabs().some((tab) => isOf(tab, id))) {
          void this.#offer(review, stillOpenSentence(review.change));
        }
      }, movedMs);
    }
  }

  /** The one that is meant, the one in front, the only one, or the one the person chooses. */
  async #pick(argument: unknown, placeHolder: string): Promise<OpenReview | undefined> {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    const meant = argument instanceof vscode.Uri ? argument : active === undefined ? undefined : proposalOf(active);
    if (meant?.scheme === proposalScheme) {
      return this.#open.get(idOf(meant)); // none when it has just been answered
    }
    const all = [...this.#open.values()];
    if (all.length <= 1) {
      return all[0];
    }
    const items = all.map((each) => ({ review: each, label: filesOf(each.change), description: authorName(each.change.author) }));
    return (await vscode.window.showQuickPick(items, { placeHolder }))?.review;
  }

  #tellContext(): void {
    const armed = [...this.#open.values()].filter((review) => review.isArmed);
    const uris = armed.flatMap(({ proposals }) => proposals.map(({ proposed }) => proposed.toString()));
    void vscode.commands.executeCommand('setContext', 'duplex.hasProposals', this.#open.size > 0);
    void vscode.commands.executeCommand('setContext', 'duplex.answerableProposals', uris);
  }

  async #closeTabs(isMeant: (proposal: vscode.Uri) => boolean): Promise<void> {
    const proposals = allTabs().flatMap((tab) => proposalOf(tab) ?? []);
    for (const uri of proposals.filter(isMeant)) {
      try {
        // Closing what has unsaved text asks the person whether to keep it, and nothing of it is wanted any more.
        await documentOf(uri)?.save();
        // Looked up again: VS Code replaces its tabs whenever a group comes or goes, and refuses to close an old one.
        const tabs = allTabs().filter((tab) => proposalOf(tab)?.toString() === uri.toString());
        await vscode.window.tabGroups.close(tabs, true);
      } catch {
        // The tab went by itself, which is all that was wanted.
      }
    }
  }
}

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

function proposalOf({ input }: vscode.Tab): vscode.Uri | undefined {
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri?.scheme === proposalScheme ? uri : undefined;
}

function isOf(tab: vscode.Tab, id: string): boolean {
  const uri = proposalOf(tab);
  return uri !== undefined && idOf(uri) === id;
}

function idOf(proposal: vscode.Uri): string {
  return proposal.authority;
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
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
    prompt: vscode.l10n.t('{0} is told why you reject its change.', authorName(change.author)),
    ignoreFocusOut: true,
  });
}
