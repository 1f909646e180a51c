import * as vscode from 'vscode';
import { atMost } from '../base/abort.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { ProposedChange, ProposedFile } from '../editor/acting/actingViews.ts';
import { ProposalFiles, proposalScheme } from '../editor/acting/proposalFiles.ts';
import { nativeText } from './nativeText.ts';
import { tabTitle } from './proposalWords.ts';

/** A tab that is moved is closed and opened: only one that stays closed was closed. */
const movedMs = 500;
/** How long one diff may hold up the next. */
const openingMs = 3_000;

interface ProposalDocument {
  readonly title: string;
  readonly languageId: string | undefined;
  readonly original: vscode.Uri;
  readonly proposed: vscode.Uri;
}

/** The documents of proposed changes and the diffs that show them, by the id of the change. */
export class ProposalDocuments implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #files = this.#lifetime.add(new ProposalFiles());
  readonly #opened = this.#lifetime.add(new Emitter<string>());
  readonly #closed = this.#lifetime.add(new Emitter<string>());
  readonly #documents = new Map<string, readonly ProposalDocument[]>();

  /** A diff of the change appeared. */
  readonly onDidOpen = this.#opened.event;
  /** The person closed the last diff of a change. */
  readonly onDidClose = this.#closed.event;

  constructor() {
    this.#lifetime.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        this.#noticeOpened(opened);
        this.#noticeClosed(closed);
      }),
    );
    // What a reload of the window left behind belongs to nobody.
    void closeTabs((id) => !this.#documents.has(id));
  }

  add(id: string, change: ProposedChange): void {
    this.#documents.set(
      id,
      change.files.map((file, index) => ({
        title: tabTitle(change, index),
        languageId: file.languageId,
        ...this.#write(file, id),
      })),
    );
  }

  /** The first file in front. One that was removed meanwhile leaves no diff behind. */
  async show(id: string, { preserveFocus }: { readonly preserveFocus: boolean }): Promise<void> {
    try {
      await this.#openDiffs(id, preserveFocus);
    } finally {
      if (!this.#documents.has(id)) {
        await closeTabs((each) => each === id);
      }
    }
  }

  /** As the person left them, in the order of the files. */
  textsOf(id: string): readonly string[] {
    return this.#of(id).map(({ proposed }) => documentOf(proposed)?.getText() ?? this.#files.textOf(proposed));
  }

  proposedUrisOf(id: string): readonly vscode.Uri[] {
    return this.#of(id).map(({ proposed }) => proposed);
  }

  /** Closes its diffs, too. */
  async remove(id: string): Promise<void> {
    const documents = this.#of(id);
    this.#documents.delete(id);
    await closeTabs((each) => each === id);
    for (const { original, proposed } of documents) {
      this.#files.remove(original);
      this.#files.remove(proposed);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #of(id: string): readonly ProposalDocument[] {
    return this.#documents.get(id) ?? [];
  }

  /** The path is the file's own: it is what the breadcrumbs show. */
  #write(file: ProposedFile, id: string): Pick<ProposalDocument, 'original' | 'proposed'> {
    const isInWorkspace = !/^[a-z][a-z0-9+.-]+:/i.test(file.path);
    const path = `/${isInWorkspace ? file.path : file.uri.path.slice(file.uri.path.lastIndexOf('/') + 1)}`;
    const proposed = vscode.Uri.from({ scheme: proposalScheme, authority: id, path });
    const empty = proposed.with({ query: 'none' });
    this.#files.add(proposed, file.after);
    if (file.isNew) {
      this.#files.add(empty, '', { isReadOnly: true });
    }
    return { original: file.isNew ? empty : file.uri, proposed };
  }

  async #openDiffs(id: string, preserveFocus: boolean): Promise<void> {
    for (const { title, languageId, original, proposed } of [...this.#of(id)].reverse()) {
      // The text is ours: whatever encoding the person's files have.
      const document = await vscode.workspace.openTextDocument(proposed, { encoding: 'utf8' });
      if (languageId !== undefined && document.languageId !== languageId) {
        await vscode.languages.setTextDocumentLanguage(document, languageId);
      }
      if (!this.#documents.has(id)) {
        return;
      }
      const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus };
      const opened = vscode.commands.executeCommand('vscode.diff', original, proposed, nativeText(title), options);
      // The promise of a diff that another one covers at once is never kept.
      await atMost(opened, openingMs);
    }
  }

  #noticeOpened(opened: readonly vscode.Tab[]): void {
    idsIn(opened).forEach((id) => this.#opened.fire(id));
  }

  #noticeClosed(closed: readonly vscode.Tab[]): void {
    for (const id of idsIn(closed)) {
      setTimeout(() => {
        if (this.#documents.has(id) && !idsIn(allTabs()).has(id)) {
          this.#closed.fire(id);
        }
      }, movedMs);
    }
  }
}

/** The change that a command is about: of the document that VS Code hands to it in an editor's title, or of the tab in front. */
export function changeMeantBy(argument: unknown): string | undefined {
  const active = vscode.window.tabGroups.activeTabGroup.activeTab;
  const meant = argument instanceof vscode.Uri ? argument : active === undefined ? undefined : proposalOf(active);
  return meant?.scheme === proposalScheme ? idOf(meant) : undefined;
}

async function closeTabs(isMeant: (id: string) => boolean): Promise<void> {
  const proposals = allTabs().flatMap((tab) => proposalOf(tab) ?? []);
  for (const uri of proposals.filter((proposal) => isMeant(idOf(proposal)))) {
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

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

function idsIn(tabs: readonly vscode.Tab[]): ReadonlySet<string> {
  return new Set(tabs.flatMap((tab) => proposalOf(tab) ?? []).map(idOf));
}

function proposalOf({ input }: vscode.Tab): vscode.Uri | undefined {
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri?.scheme === proposalScheme ? uri : undefined;
}

function idOf(proposal: vscode.Uri): string {
  return proposal.authority;
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
