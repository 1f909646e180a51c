// questions/: what waits for the person's answer: the panel that asks (this file), notices of it, and the status bar.
import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { OpenQuestions } from '../../consent/openQuestions.ts';
import { Late } from '../../base/late.ts';
import type { consentToHost, consentToView } from '../../contract/questions/questions.ts';
import type { ErrorReporter } from '../errorReporter.ts';
import type { ShowDefinition } from '../servers/files/openDefinition.ts';
import { WebviewLink } from '../pages/webviewLink.ts';
import { freeColumn, questionPanel } from '../pages/freeColumn.ts';
import { pageRoots, renderPage } from '../pages/webviewPage.ts';

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly link: WebviewLink<typeof consentToHost, typeof consentToView>;
  isReady: boolean;
}

export interface ConsentPanelOptions {
  readonly questions: OpenQuestions;
  readonly showDefinition: ShowDefinition;
  readonly extensionUri: vscode.Uri;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

/** How long, in ms, the empty panel stays open: one answer often leads to the next question, and the panel would flicker. */
const closingMs = 1_500;
/**
 * How long, in ms, closing the panel waits before it counts as a refusal: a window that closes takes its tabs with it, and then
 * nobody has answered.
 */
const dismissMs = 300;

/**
 * Shows the questions that no chat caused in an editor tab, which opens by itself. It takes the focus only for what the person
 * has just asked for. Closing the tab refuses everything that is asked in it.
 */
export class ConsentPanel implements Disposable {
  readonly #questions: OpenQuestions;
  readonly #showDefinition: ShowDefinition;
  readonly #extensionUri: vscode.Uri;
  readonly #reporter: ErrorReporter;
  readonly #log: Log;
  /** The schemas of the messages are loaded late: they are many, and most windows ask nothing. */
  readonly #messages = new Late(async () => (await import('../../contract/questions/questions.ts')).consentToHost);
  readonly #lifetime = new DisposableStore();
  readonly #visibility = this.#lifetime.add(new Emitter<void>());
  readonly #seen = new Set<string>();
  readonly #dismissing = new Set<NodeJS.Timeout>();
  #open: OpenPanel | undefined;
  #closing: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeVisibility = this.#visibility.event;

  constructor({ questions, showDefinition, extensionUri, reporter, log }: ConsentPanelOptions) {
    this.#questions = questions;
    this.#showDefinition = showDefinition;
    this.#extensionUri = extensionUri;
    this.#reporter = reporter;
    this.#log = log;
    this.#lifetime.add(questions.onDidChange(() => this.#update()));
  }

  show(): void {
    this.#reveal(false);
  }

  isVisible(): boolean {
    return this.#open?.panel.visible === true;
  }

  /** Whether the panel has the focus: only then can it be given back. */
  get isActive(): boolean {
    return this.#open?.panel.active === true;
  }

  dispose(): void {
    this.#lifetime.dispose();
    clearTimeout(this.#closing);
    this.#dismissing.forEach(clearTimeout);
    this.#close();
  }

  #update(): void {
    const questions = this.#questions.list();
    clearTimeout(this.#closing);
    if (questions.length === 0) {
      this.#seen.clear();
      this.#post();
      this.#closing = setTimeout(() => this.#close(), closingMs);
      return;
    }
    const fresh = questions.filter((question) => !this.#seen.has(question.askId));
    questions.forEach((question) => this.#seen.add(question.askId));
    if (fresh.length > 0) {
      this.#reveal(!fresh.some(({ takesFocus }) => takesFocus === true));
    }
    this.#post();
  }

  #reveal(preserveFocus: boolean): void {
    if (this.#open === undefined) {
      this.#open = this.#create(preserveFocus);
    } else {
      const { panel } = this.#open;
      panel.reveal(preserveFocus && !panel.visible ? freeColumn() : undefined, preserveFocus);
    }
  }

  #create(preserveFocus: boolean): OpenPanel {
    const panel = vscode.window.createWebviewPanel(
      questionPanel,
      vscode.l10n.t('Permission'),
      // Somebody may be typing: the panel opens beside their text, because on top of it their keys would go nowhere.
      { viewColumn: preserveFocus ? freeColumn() : ownColumn(), preserveFocus },
      { enableScripts: true, localResourceRoots: pageRoots(this.#extensionUri), retainContextWhenHidden: true },
    );
    const link: OpenPanel['link'] = new WebviewLink(
      panel.webview,
      this.#messages,
      {
        ready: () => {
          open.isReady = true;
          this.#post();
        },
        'consent/answer': (answer) => {
          if (!this.#questions.isTooEarly(answer)) {
            this.#questions.answer(answer);
          }
        },
        'consent/show': ({ askId }) => this.#showDefinition(this.#questions.list(), askId),
      },
      this.#log,
      (error) => this.#reporter.report(error),
    );
    const open: OpenPanel = { panel, link, isReady: false };
    panel.onDidChangeViewState(() => this.#visibility.fire());
    panel.onDidDispose(() => {
      link.dispose();
      if (this.#open === open) {
        this.#open = undefined;
        this.#dismiss();
      }
    });
    panel.webview.html = renderPage(panel.webview, this.#extensionUri, 'consent');
    return open;
  }

  /** Closes the panel without refusing anything. */
  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.panel.dispose();
  }

  #dismiss(): void {
    const askIds = this.#questions.list().map(({ askId }) => askId);
    const timer = setTimeout(() => {
      this.#dismissing.delete(timer);
      this.#questions.dismiss(askIds);
    }, dismissMs);
    this.#dismissing.add(timer);
    this.#visibility.fire();
  }

  #post(): void {
    if (this.#open?.isReady === true) {
      this.#open.link.post('consent/questions', { questions: [...this.#questions.list()] });
    }
  }
}

/** The column for what the person has just asked for: beside a text, in front of anything else. */
function ownColumn(): vscode.ViewColumn {
  return vscode.window.activeTextEditor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}
