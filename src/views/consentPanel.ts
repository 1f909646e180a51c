import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { consentToHost, type consentToView } from '../contract/consentMessages.ts';
import type { ShowDefinition } from './showDefinition.ts';
import { WebviewLink } from './webviewLink.ts';
import { pageRoots, renderPage } from './webviewPage.ts';

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly link: WebviewLink<typeof consentToHost, typeof consentToView>;
  isReady: boolean;
}

/** One answer often leads to the next question: a panel that closes and opens again would only flicker. */
const closingMs = 1_500;

/**
 * An editor tab with the questions that no chat caused. Opens by itself; the focus goes to what the person has just asked for,
 * and stays where it was for what others caused.
 */
export class ConsentPanel implements Disposable {
  readonly #questions: OpenQuestions;
  readonly #showDefinition: ShowDefinition;
  readonly #extensionUri: vscode.Uri;
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  readonly #seen = new Set<string>();
  #open: OpenPanel | undefined;
  #closing: ReturnType<typeof setTimeout> | undefined;

  constructor(questions: OpenQuestions, showDefinition: ShowDefinition, extensionUri: vscode.Uri, log: Log) {
    this.#questions = questions;
    this.#showDefinition = showDefinition;
    this.#extensionUri = extensionUri;
    this.#log = log;
    this.#lifetime.add(questions.onDidChange(() => this.#update()));
  }

  /** Brings the panel back after the person closed it: a closed tab answers nothing. */
  show(): void {
    this.#reveal(false);
  }

  /** Whether the person is in it: only then is there a focus to give back. */
  get isActive(): boolean {
    return this.#open?.panel.active === true;
  }

  dispose(): void {
    this.#lifetime.dispose();
    clearTimeout(this.#closing);
    this.#open?.panel.dispose();
  }

  #update(): void {
    const questions = this.#questions.list();
    clearTimeout(this.#closing);
    if (questions.length === 0) {
      this.#seen.clear();
      this.#post();
      this.#closing = setTimeout(() => {
        this.#open?.panel.dispose();
      }, closingMs);
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
      this.#open.panel.reveal(undefined, preserveFocus);
    }
  }

  #create(preserveFocus: boolean): OpenPanel {
    const panel = vscode.window.createWebviewPanel(
      'duplex.consent',
      vscode.l10n.t('Permission'),
      // Beside the text somebody may be typing into: on top of it, the keys would go nowhere.
      { viewColumn: vscode.window.activeTextEditor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside, preserveFocus },
      { enableScripts: true, localResourceRoots: pageRoots(this.#extensionUri), retainContextWhenHidden: true },
    );
    const link: OpenPanel['link'] = new WebviewLink(
      panel.webview,
      consentToHost,
      {
        ready: () => {
          open.isReady = true;
          this.#post();
        },
        'consent/answer': (answer) => {
          this.#questions.answer(answer);
        },
        'consent/show': ({ askId }) => this.#showDefinition(this.#questions.list(), askId),
      },
      this.#log,
    );
    const open: OpenPanel = { panel, link, isReady: false };
    panel.onDidDispose(() => {
      link.dispose();
      this.#open = undefined;
    });
    panel.webview.html = renderPage(panel.webview, this.#extensionUri, 'consent');
    return open;
  }

  #post(): void {
    if (this.#open?.isReady === true) {
      this.#open.link.post('consent/questions', { questions: [...this.#questions.list()] });
    }
  }
}
