import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Slices } from '../../base/slices.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import { openTabs } from '../shared/openDocuments.ts';
import { askTypescript, isTypescript } from './typescriptService.ts';

/** Language services report in bursts: after this long, in ms, without a report they have all spoken. */
const quietMs = 500;

/** The longest wait, in ms, for a report on a language that nobody has ever reported on: it may have no service. */
const silentMs = 2_000;

/** The most documents that the TypeScript service is asked about one by one. */
const maxAsked = 20;

/** The longest wait, in ms, for an answer of the TypeScript service, which may be stuck. */
const askMs = 30_000;

/** Schemes of documents that no language service reports on; some of them change all the time. */
const otherSchemes: ReadonlySet<string> = new Set(['output', 'log', 'vscode-log', 'git', 'comment', 'debug', 'vscode-terminal']);

/** Knows on which documents a language service has reported since they were opened or last changed. */
export class Reports implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #reported = this.#lifetime.add(new Emitter<void>());
  /** The documents that nobody has reported on, by URI, with the time since when. */
  readonly #unheard = new Map<string, number>();
  readonly #heardLanguages = new Set<string>();
  readonly #asked = new Set<vscode.TextDocument>();
  #lastReport = -Infinity;
  /**
   * The documents without a report that have a tab. They are kept until a document, a report or a tab changes, because clients
   * ask for them with every call.
   */
  #unheardShown: readonly vscode.TextDocument[] | undefined;

  constructor() {
    const { workspace, languages, window } = vscode;
    const forget = (): void => void (this.#unheardShown = undefined);
    this.#lifetime.add(window.tabGroups.onDidChangeTabs(forget));
    // When a group comes or goes, VS Code fires nothing for its tabs.
    this.#lifetime.add(window.tabGroups.onDidChangeTabGroups(forget));
    workspace.textDocuments
      .filter(({ uri }) => languages.getDiagnostics(uri).length === 0)
      .forEach((document) => this.#didChange(document));
    this.#lifetime.add(workspace.onDidOpenTextDocument((document) => this.#didChange(document)));
    this.#lifetime.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#didChange(document);
        }
      }),
    );
    this.#lifetime.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#unheard.delete(uri.toString());
        this.#unheardShown = undefined;
      }),
    );
    this.#lifetime.add(languages.onDidChangeDiagnostics(({ uris }) => this.#hear(uris)));
  }

  /** Waits for a report on this document; false when none came in time. */
  async waitFor(document: vscode.TextDocument, waitMs: number, signal: AbortSignal): Promise<boolean> {
    const uri = document.uri.toString();
    const deadline = performance.now() + waitMs;
    for (;;) {
      const isHeard = !this.#unheard.has(uri);
      const now = performance.now();
      if (isHeard || now >= deadline) {
        return isHeard && isFollowed(document);
      }
      await this.#nextReport(deadline - now, signal);
    }
  }

  /** Whether nobody has reported on the document of this file since it was opened or last changed. */
  isUnheard(uri: vscode.Uri): boolean {
    return this.#unheard.size > 0 && this.#unheard.has(uri.toString());
  }

  /** The documents with a tab that nobody has reported on so far. */
  silent(): readonly vscode.Uri[] {
    const unheard = this.#unheardTabs();
    void this.#askAboutSilent(unheard);
    return unheard.map(({ uri }) => uri);
  }

  /** Waits for reports on all documents with a tab; returns those that nobody reported on in time. */
  async waitForAll(waitMs: number, signal: AbortSignal): Promise<readonly vscode.Uri[]> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const unheard = this.#unheardTabs();
      void this.#askAboutSilent(unheard);
      const now = performance.now();
      const quietAt = this.#lastReport + quietMs;
      const until = Math.min(deadline, Math.max(quietAt, ...unheard.map((document) => this.#patienceFor(document, deadline))));
      if (now >= until) {
        return unheard.map(({ uri }) => uri);
      }
      await this.#nextReport(until - now, signal);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #didChange(document: vscode.TextDocument): void {
    this.#unheardShown = undefined;
    if (isFollowed(document)) {
      this.#unheard.set(document.uri.toString(), performance.now());
    }
  }

  #hear(uris: readonly vscode.Uri[]): void {
    this.#lastReport = performance.now();
    this.#unheardShown = undefined;
    const heard = new Set(uris.map(String));
    if ([...heard].filter((uri) => this.#unheard.delete(uri)).length > 0) {
      for (const { uri, languageId } of vscode.workspace.textDocuments) {
        if (heard.has(uri.toString())) {
          this.#heardLanguages.add(languageId);
        }
      }
    }
    this.#reported.fire();
  }

  #unheardTabs(): readonly vscode.TextDocument[] {
    if (this.#unheard.size === 0) {
      return [];
    }
    if (this.#unheardShown === undefined) {
      const tabs = new Set(openTabs().map(({ uri }) => uri.toString()));
      const isShown = ({ uri }: vscode.TextDocument): boolean => this.#unheard.has(uri.toString()) && tabs.has(uri.toString());
      this.#unheardShown = vscode.workspace.textDocuments.filter(isShown);
    }
    return this.#unheardShown;
  }

  #patienceFor({ uri, languageId }: vscode.TextDocument, deadline: number): number {
    const since = this.#unheard.get(uri.toString()) ?? -Infinity;
    return this.#heardLanguages.has(languageId) ? deadline : since + silentMs;
  }

  /**
   * Asks the TypeScript service about documents without a report, because it does not report that a file is without problems. Its
   * answer counts as a report.
   */
  async #askAboutSilent(documents: readonly vscode.TextDocument[]): Promise<void> {
    const isNew = (document: vscode.TextDocument): boolean => isTypescript(document) && !this.#asked.has(document);
    const silent = documents.filter(isNew).slice(0, maxAsked);
    silent.forEach((document) => this.#asked.add(document));
    for (const document of silent) {
      const { version } = document;
      const answer = await atMost(askTypescript(document), askMs);
      this.#asked.delete(document);
      // If there are problems, VS Code's own report is on its way, and has them.
      if (answer?.length === 0 && document.version === version && !document.isClosed) {
        this.#hear([document.uri]);
      }
    }
  }

  async #nextReport(milliseconds: number, signal: AbortSignal): Promise<void> {
    let listening: Disposable | undefined;
    try {
      await atMost(new Promise<void>((resolve) => (listening = this.#reported.event(resolve))), milliseconds, signal);
    } finally {
      listening?.dispose();
    }
  }
}

function isFollowed({ uri, languageId }: vscode.TextDocument): boolean {
  return !otherSchemes.has(uri.scheme) && languageId !== 'plaintext';
}

type Reported = readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[];

export interface ReportedFile {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly entries: readonly vscode.Diagnostic[];
}

/**
 * The files with diagnostics as VS Code has them now, in the order of their paths. There may be ten thousand, of which one page is
 * looked at, so their paths and order are kept from one call to the next, as far as the files are the same.
 */
export class ReportedFiles implements Disposable {
  readonly #lifetime = new DisposableStore();
  #paths = new WeakMap<vscode.Uri, string>();
  #ordered: { readonly uris: readonly vscode.Uri[]; readonly order: readonly number[] } = { uris: [], order: [] };

  constructor() {
    // A path is relative to its folder, and begins with that one's name where there are several.
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#forget()));
  }

  /** The files with diagnostics as VS Code gives them, all in one go. */
  reported(): Reported {
    return vscode.languages.getDiagnostics().filter(([, entries]) => entries.length > 0);
  }

  /** Finds out the paths of the files, in slices. Called before `inOrder` when there are many, which then has them. */
  async learnPaths(reported: Reported, slices: Slices): Promise<void> {
    for (const [uri] of reported) {
      this.#pathOf(uri);
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
    }
  }

  inOrder(reported: Reported): ReportedFile[] {
    const files: ReportedFile[] = [];
    for (const index of this.#orderOf(reported.map(([uri]) => uri))) {
      const [uri, entries = []] = reported[index] ?? [];
      if (uri !== undefined) {
        files.push({ uri, path: this.#pathOf(uri), entries });
      }
    }
    return files;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #orderOf(uris: readonly vscode.Uri[]): readonly number[] {
    const known = this.#ordered.uris;
    if (uris.length !== known.length || uris.some((uri, index) => uri !== known[index])) {
      const paths = uris.map((uri) => this.#pathOf(uri));
      const before = (a: number, b: number): number => ((paths[a] ?? '') < (paths[b] ?? '') ? -1 : 1);
      this.#ordered = { uris, order: [...uris.keys()].sort(before) };
    }
    return this.#ordered.order;
  }

  #pathOf(uri: vscode.Uri): string {
    const known = this.#paths.get(uri);
    if (known !== undefined) {
      return known;
    }
    const path = toClientPath(uri);
    this.#paths.set(uri, path);
    return path;
  }

  #forget(): void {
    this.#paths = new WeakMap();
    this.#ordered = { uris: [], order: [] };
  }
}
