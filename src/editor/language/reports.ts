import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { openTabs } from '../shared/openDocuments.ts';
import { askTypescript, isTypescript } from './typescriptService.ts';

/** Language services report in bursts: after this long without a report they have all spoken. */
const quietMs = 500;

/** A language of which nobody has ever reported anything may have no service: no longer than this is waited for one. */
const silentMs = 2_000;

/** The most documents without problems that are looked at one by one. */
const maxAsked = 20;

/** A service that is stuck is left alone after this long. */
const askMs = 30_000;

/** No language service speaks of these, and some of them change all the time. */
const otherSchemes: ReadonlySet<string> = new Set(['output', 'log', 'vscode-log', 'git', 'comment', 'debug', 'vscode-terminal']);

/** On which documents a language service has reported since they were opened or last changed. */
export class Reports implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #reported = this.#lifetime.add(new Emitter<void>());
  /** Since when, by URI. */
  readonly #unheard = new Map<string, number>();
  readonly #heardLanguages = new Set<string>();
  readonly #asked = new Set<vscode.TextDocument>();
  #lastReport = -Infinity;
  /** Until a document, a report or a tab changes: clients ask for them with every call. */
  #unheardShown: readonly vscode.TextDocument[] | undefined;

  constructor() {
    const { workspace, languages, window } = vscode;
    const forget = (): void => void (this.#unheardShown = undefined);
    this.#lifetime.add(window.tabGroups.onDidChangeTabs(forget));
    // With a group, its tabs come and go without a word of their own.
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

  /** Whether a report on this document came, at the latest in so many milliseconds. */
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

  /** The documents with a tab on which nobody has reported so far. */
  silent(): readonly vscode.Uri[] {
    const unheard = this.#unheardTabs();
    void this.#askAboutSilent(unheard);
    return unheard.map(({ uri }) => uri);
  }

  /** The documents with a tab on which nobody has reported, at the latest in so many milliseconds. */
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

  /** TypeScript does not report that a file is without problems: it is asked, and what it says then counts as a report. */
  async #askAboutSilent(documents: readonly vscode.TextDocument[]): Promise<void> {
    const isNew = (document: vscode.TextDocument): boolean => isTypescript(document) && !this.#asked.has(document);
    const silent = documents.filter(isNew).slice(0, maxAsked);
    silent.forEach((document) => this.#asked.add(document));
    for (const document of silent) {
      const { version } = document;
      const answer = await atMost(askTypescript(document), askMs);
      this.#asked.delete(document);
      // With problems VS Code's own report is under way, and comes with them.
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
