import * as vscode from 'vscode';
import { isAppError } from '../base/errors.ts';
import { toResultItems } from '../host/resultItems.ts';
import type { RawToolResult, ToolProgress } from '../host/serverSession.ts';
import { errorSentence } from './errorSentence.ts';
import { resultText } from './resultText.ts';
import { adviceFor } from './serverAdvice.ts';
import { terminalText } from './terminalText.ts';

/** Runs a tool to its end. Rejects with the reason why there is no result. */
export type RunInTerminal = (signal: AbortSignal, onProgress: (progress: ToolProgress) => void) => Promise<RawToolResult>;

/** A server may report faster than anybody reads. */
const betweenProgressMs = 200;
/** What a terminal sends for Ctrl+C. */
const interrupt = '\u0003';

/** The terminal of a task that runs a tool: what it says is text, and it ends with 0 exactly when the tool succeeded. */
export class ToolTerminal implements vscode.Pseudoterminal {
  readonly #title: string;
  readonly #run: RunInTerminal;
  readonly #written = new vscode.EventEmitter<string>();
  readonly #ended = new vscode.EventEmitter<number>();
  readonly #cancel = new AbortController();
  #lastProgress = -Infinity;

  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#ended.event;

  constructor(title: string, run: RunInTerminal) {
    this.#title = title;
    this.#run = run;
  }

  /** Nothing that is written before is shown. */
  open(): void {
    void this.#runToEnd();
  }

  /** The task was ended, or its terminal closed. */
  close(): void {
    this.#cancel.abort();
  }

  handleInput(data: string): void {
    if (data === interrupt) {
      this.#cancel.abort();
    }
  }

  async #runToEnd(): Promise<void> {
    this.#write(this.#title);
    const exitCode = await this.#succeeds();
    this.#ended.fire(exitCode ? 0 : 1);
    this.#written.dispose();
    this.#ended.dispose();
  }

  async #succeeds(): Promise<boolean> {
    try {
      const result = await this.#run(this.#cancel.signal, (progress) => this.#report(progress));
      this.#write(resultText(toResultItems(result), result.isError).text);
      return !result.isError;
    } catch (error) {
      this.#write(this.#cancel.signal.aborted ? vscode.l10n.t('The tool was cancelled.') : failureText(error));
      return false;
    }
  }

  #report({ value, total, message }: ToolProgress): void {
    const now = performance.now();
    if (now - this.#lastProgress < betweenProgressMs) {
      return;
    }
    this.#lastProgress = now;
    const share = total === undefined ? String(value) : `${value} / ${total}`;
    this.#write(message === undefined ? share : `${share} ${message}`);
  }

  #write(text: string): void {
    this.#written.fire(terminalText(text));
  }
}

/** Why there is no result, and what to do. */
function failureText(error: unknown): string {
  const advice = isAppError(error) ? (callAdvice(error.code) ?? adviceFor(error)) : undefined;
  return [errorSentence(error), ...(advice === undefined ? [] : [advice])].join(' ');
}

function callAdvice(code: string): string | undefined {
  switch (code) {
    case 'runTool.unknownServer':
    case 'host.unknownTool':
      return vscode.l10n.t('The view “MCP Servers” lists what there is.');
    case 'runTool.notRunning':
    case 'runTool.startNotAllowed':
      return vscode.l10n.t('Start it in the view “MCP Servers”.');
    default:
      return undefined;
  }
}
