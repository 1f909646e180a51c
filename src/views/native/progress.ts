// native/: VS Code's own parts that several features use: progress, pickers, read-only documents, context keys, links.
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.ts';
import type { ToolProgress } from '../../host/connection/serverSession.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import type { ToolCaller, CallOutcome } from '../../host/tools/toolCaller.ts';
import { nativeText } from '../nativeText.ts';

/** Work that is done within this time, in ms, shows no notification: one that only flashes tells nobody anything. */
const patienceMs = 400;

/**
 * Does work that may take long. When it does, a notification says so and offers to cancel. Work that the person cancelled
 * resolves to undefined.
 */
export async function withPatience<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const cancel = new AbortController();
  const working = work(cancel.signal);
  const over = working.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => cancel.abort());
      return over;
    });
  }, patienceMs);
  try {
    return await working;
  } catch (error) {
    if (cancel.signal.aborted && isAbort(error)) {
      return undefined;
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

type Call = Pick<Parameters<ToolCaller['call']>[0], 'principal' | 'asker' | 'tool' | 'arguments' | 'ask' | 'onStart'>;

/** Calls a tool outside the chat, and shows its progress in a notification. */
export async function callWithProgress(caller: ToolCaller, { id, label }: ServerSnapshot, call: Call): Promise<CallOutcome> {
  const cancel = new AbortController();
  const title = vscode.l10n.t('Running “{0}” of “{1}”', nativeText(call.tool, 60), nativeText(label, 60));
  const notice = new ToolProgressNotice(title, () => cancel.abort());
  try {
    return await caller.call({
      ...call,
      serverId: id,
      signal: cancel.signal,
      onStart: (sent) => {
        call.onStart?.(sent);
        notice.start();
      },
      onProgress: (progress) => notice.report(progress),
    });
  } finally {
    notice.end();
  }
}

/** The notification of one call, with Cancel, for as long as the call takes. */
class ToolProgressNotice {
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
      const words = nativeText(message ?? (total === undefined ? String(value) : `${value} / ${total}`));
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
