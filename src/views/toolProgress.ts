import * as vscode from 'vscode';
import type { ToolProgress } from '../host/serverSession.ts';

/** Quicker calls than this show nothing: a notification that only flashes tells nobody anything. */
const patienceMs = 400;

/** A notification with a way to cancel, for as long as a call takes. */
export class ToolProgressNotice {
  readonly #title: string;
  readonly #cancel: () => void;
  #timer: NodeJS.Timeout | undefined;
  #end: (() => void) | undefined;
  #progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  #latest: ToolProgress | undefined;
  #percent = 0;

  constructor(title: string, cancel: () => void) {
    this.#title = title;
    this.#cancel = cancel;
  }

  start(): void {
    this.#timer = setTimeout(() => this.#open(), patienceMs);
  }

  report(latest: ToolProgress): void {
    this.#latest = latest;
    const { value, total, message } = latest;
    const percent = total === undefined || total <= 0 ? this.#percent : Math.min(100, (value / total) * 100);
    const increment = Math.max(0, percent - this.#percent);
    if (this.#progress !== undefined) {
      this.#percent = Math.max(percent, this.#percent);
      const words = message ?? (total === undefined ? String(value) : `${value} / ${total}`);
      this.#progress.report({ message: words, ...(total === undefined ? {} : { increment }) });
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#end?.();
  }

  #open(): void {
    const ended = new Promise<void>((resolve) => (this.#end = resolve));
    const options = { location: vscode.ProgressLocation.Notification, title: this.#title, cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      this.#progress = progress;
      token.onCancellationRequested(this.#cancel);
      if (this.#latest !== undefined) {
        this.report(this.#latest);
      }
      return ended;
    });
  }
}
