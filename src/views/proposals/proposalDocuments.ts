import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { proposalScheme } from '../../contract/identity.ts';
import type { ProposedChange, ProposedFile } from '../../editor/acting/actingViews.ts';
import { ProposalFiles } from '../../editor/acting/proposalFiles.ts';
import { nativeText } from '../nativeText.ts';
import { columnBesidePage } from '../pages/freeColumn.ts';
import { lastChangedLine } from './lineDiff.ts';
import type { ProposalView } from './proposalQuestions.ts';
import { allTabs, columnOf, proposalOf } from './proposalTabs.ts';
import { tabTitle } from './proposalWords.ts';

/** How long a tab has to be gone, in ms, to count as closed: VS Code moves a tab by closing it and opening it again. */
const movedMs = 500;
/** The longest time, in ms, that one diff may hold up the next. */
const openingMs = 3_000;
/** The most characters of the title of a diff. */
const maxTitleLength = 400;
/** The most diffs that are opened at once; the others come as these are answered. */
const maxTabs = 12;

/** `background` is not in the types: VS Code's own extensions open tabs with it that are not to come to the front. */
type DiffOptions = vscode.TextDocumentShowOptions & { readonly background: boolean };

interface ProposalDocument {
  readonly title: string;
  readonly languageId: string | undefined;
  readonly original: vscode.Uri;
  readonly proposed: vscode.Uri;
  /** The last line of the proposed text that differs, from 0. */
  readonly lastLine: number;
}

/** Keeps the documents of proposed changes, by the id of the change, and opens and closes the diffs that show them. */
export class ProposalDocuments implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #files = this.#lifetime.add(new ProposalFiles());
  readonly #viewed = this.#lifetime.add(new Emitter<void>());
  readonly #closed = this.#lifetime.add(new Emitter<string>());
  readonly #documents = new Map<string, readonly ProposalDocument[]>();

  /** Fires when another diff may be open or in view. */
  readonly onDidChangeView = this.#viewed.event;
  /** Fires with the id of a change when the person closed its last diff. */
  readonly onDidClose = this.#closed.event;

  constructor() {
    this.#lifetime.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed, opened }) => {
        this.#viewed.fire();
        this.#noticeClosed(closed);
        // A slow VS Code may show a diff long after it was asked to, when the change has been answered elsewhere.
        if ([...idsIn(opened)].some((id) => !this.#documents.has(id))) {
          void this.#closeForgotten();
        }
      }),
    );
    this.#lifetime.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#viewed.fire()));
    this.#lifetime.add(vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#noticeScrolling(textEditor)));
    this.#lifetime.add(vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((each) => this.#noticeScrolling(each))));
    // They may have been left by a reload of the window.
    void this.#closeForgotten();
  }

  add(id: string, change: ProposedChange): void {
    this.#documents.set(
      id,
      change.files.map((file, index) => ({
        title: tabTitle(change, index),
        languageId: file.languageId,
        lastLine: lastChangedLine(file.before, file.after),
        ...this.#write(file, id, index),
      })),
    );
  }

  /** Opens the diffs of these files, the first in front. A change that is removed meanwhile leaves no diff behind. */
  async show(id: string, indexes: readonly number[], { preserveFocus }: { readonly preserveFocus: boolean }): Promise<void> {
    const documents = this.#of(id);
    const shown = indexes.slice(0, maxTabs).flatMap((index) => documents[index] ?? []);
    try {
      await this.#openDiffs(id, shown, preserveFocus);
    } finally {
      if (!this.#documents.has(id)) {
        await this.#closeForgotten();
      }
    }
  }

  /** The proposed texts as the person left them, by the index of the file in the change. */
  textsOf(id: string, indexes: readonly number[]): ReadonlyMap<number, string> {
    const documents = this.#of(id);
    return new Map(
      indexes.flatMap((index) => {
        const proposed = documents[index]?.proposed;
        return proposed === undefined ? [] : [[index, documentOf(proposed)?.getText() ?? this.#files.textOf(proposed)] as const];
      }),
    );
  }

  proposedUriOf(id: string, index: number): vscode.Uri | undefined {
    return this.#of(id)[index]?.proposed;
  }

  /** The index of a file in the change; `undefined` when the URI is not of this change. */
  placeOf(id: string, proposed: vscode.Uri): number | undefined {
    const index = this.#of(id).findIndex((document) => document.proposed.toString() === proposed.toString());
    return index < 0 ? undefined : index;
  }

  /**
   * Which files of the change are open and in view. Only diffs count: whoever sees the proposed text alone does not see what it
   * changes.
   */
  viewOf(id: string): ProposalView {
    const diffs = allTabs().flatMap((tab) => {
      const proposed = tab.input instanceof vscode.TabInputTextDiff ? proposalOf(tab) : undefined;
      const index = proposed === undefined ? undefined : this.placeOf(id, proposed);
      return index === undefined ? [] : [{ index, isActive: tab.isActive }];
    });
    const inView = diffs.filter(({ isActive }) => isActive).map(({ index }) => index);
    return { open: diffs.map(({ index }) => index), inView, endInView: inView.filter((index) => this.#isEndInView(id, index)) };
  }

  /** Closes the diffs of these files; the others stay. */
  async close(id: string, indexes: readonly number[]): Promise<void> {
    const documents = this.#of(id);
    const closed = new Set(indexes.map((index) => documents[index]?.proposed.toString()));
    await closeTabs((uri) => closed.has(uri.toString()));
  }

  /** Forgets a change and closes its diffs. */
  async remove(id: string): Promise<void> {
    const documents = this.#of(id);
    this.#documents.delete(id);
    await closeTabs((uri) => idOf(uri) === id);
    for (const { original, proposed } of documents) {
      this.#files.remove(original);
      this.#files.remove(proposed);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Closes diffs that belong to no change any more. */
  async #closeForgotten(): Promise<void> {
    await closeTabs((uri) => !this.#documents.has(idOf(uri)));
  }

  #noticeScrolling({ document }: vscode.TextEditor): void {
    if (document.uri.scheme === proposalScheme) {
      this.#viewed.fire();
    }
  }

  #isEndInView(id: string, index: number): boolean {
    const shown = this.#of(id)[index];
    const editors = vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === shown?.proposed.toString());
    // The person may have shortened the text.
    const isThere = ({ document, visibleRanges }: vscode.TextEditor): boolean =>
      visibleRanges.some(({ end }) => end.line >= Math.min(shown?.lastLine ?? 0, document.lineCount - 1));
    return editors.some(isThere);
  }

  #of(id: string): readonly ProposalDocument[] {
    return this.#documents.get(id) ?? [];
  }

  #write(file: ProposedFile, id: string, index: number): Pick<ProposalDocument, 'original' | 'proposed'> {
    // The index is part of it, because files of different folders outside of the workspace may have the same name.
    const proposed = vscode.Uri.from({ scheme: proposalScheme, authority: `${id}.${index}`, path: documentPath(file) });
    // A file that is deleted, or is no text, cannot be edited.
    this.#files.add(proposed, file.after, { isReadOnly: file.kind === 'delete' || !file.isText });
    // The left side is the file itself, so that the diff follows its changes; a notebook cell, and a file that is no text, get a
    // document of their own.
    const isFile = file.isText && (file.kind === 'change' || file.kind === 'delete' || file.kind === 'move') && !isNotebook(file.uri.path);
    const original = isFile ? file.uri : proposed.with({ query: 'before' });
    if (!isFile) {
      this.#files.add(original, file.before, { isReadOnly: true });
    }
    return { original, proposed };
  }

  async #openDiffs(id: string, documents: readonly ProposalDocument[], preserveFocus: boolean): Promise<void> {
    const [first, ...others] = documents;
    const besidePage = preserveFocus ? columnBesidePage() : undefined;
    // Each tab opens right beside the one in front, so the others are opened in reverse, where the first one stands.
    for (const shown of first === undefined ? [] : [first, ...others.reverse()]) {
      const { title, languageId, original, proposed } = shown;
      // The document is ours and in UTF-8, whatever encoding the person's files have.
      const document = await vscode.workspace.openTextDocument(proposed, { encoding: 'utf8' });
      if (languageId !== undefined && document.languageId !== languageId) {
        await vscode.languages.setTextDocumentLanguage(document, languageId);
      }
      if (!this.#documents.has(id)) {
        return;
      }
      const viewColumn = first === undefined || shown === first ? besidePage : columnOf(first.proposed);
      const options: DiffOptions = {
        preview: false,
        preserveFocus,
        background: shown !== first,
        ...(viewColumn !== undefined && { viewColumn }),
      };
      const opened = vscode.commands.executeCommand('vscode.diff', original, proposed, nativeText(title, maxTitleLength), options);
      // The promise of a diff that another one covers at once never settles.
      await atMost(opened, openingMs);
    }
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

/**
 * The proposal that a command is about: VS Code gives the document for a button in an editor's title or on a thread; without one
 * it is the tab in front.
 */
export function proposalMeantBy(argument: unknown): { readonly id: string; readonly proposed: vscode.Uri } | undefined {
  const active = vscode.window.tabGroups.activeTabGroup.activeTab;
  const given = argument instanceof vscode.Uri ? argument : threadUri(argument);
  const meant = given ?? (active === undefined ? undefined : proposalOf(active));
  return meant?.scheme === proposalScheme ? { id: idOf(meant), proposed: meant } : undefined;
}

function threadUri(argument: unknown): vscode.Uri | undefined {
  const isThread = typeof argument === 'object' && argument !== null && 'uri' in argument && argument.uri instanceof vscode.Uri;
  return isThread ? (argument.uri as vscode.Uri) : undefined;
}

/** The path of the proposed document: that of the file, where it will be. The breadcrumbs show it. */
function documentPath({ kind, path, newPath = path, uri, cell = 0 }: ProposedFile): string {
  const isInWorkspace = !/^[a-z][a-z0-9+.-]+:/i.test(newPath);
  const own = `/${isInWorkspace ? newPath : uri.path.slice(uri.path.lastIndexOf('/') + 1)}`;
  // A name of a notebook would make VS Code open a notebook instead of the diff.
  return kind === 'cell' ? `${own}.cell${cell + 1}` : isNotebook(own) ? `${own}.txt` : own;
}

function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

async function closeTabs(isMeant: (proposed: vscode.Uri) => boolean): Promise<void> {
  const proposals = allTabs().flatMap((tab) => proposalOf(tab) ?? []);
  for (const uri of proposals.filter(isMeant)) {
    try {
      // VS Code would ask whether to keep unsaved text, which nobody needs any more.
      await documentOf(uri)?.save();
      // Looked up again: VS Code replaces its tabs whenever a group comes or goes, and refuses to close an old one.
      const tabs = allTabs().filter((tab) => proposalOf(tab)?.toString() === uri.toString());
      await vscode.window.tabGroups.close(tabs, true);
    } catch {
      // The tab went by itself, which is all that was wanted.
    }
  }
}

function idsIn(tabs: readonly vscode.Tab[]): ReadonlySet<string> {
  return new Set(tabs.flatMap((tab) => proposalOf(tab) ?? []).map(idOf));
}

function idOf({ authority }: vscode.Uri): string {
  return authority.slice(0, authority.indexOf('.'));
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
