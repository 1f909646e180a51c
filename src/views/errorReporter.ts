import * as vscode from 'vscode';
import { isAbort, isAppError, messageOf, type Say, sayBy } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { nativeText } from './nativeText.ts';
import { sentenceOfError } from './sentences/translate.ts';

/**
 * Reports failures to people: one sentence in a notification, and the details one click away. Failures of servers have notices of
 * their own that offer more (servers/serverNotices.ts, servers/serverStarts.ts).
 */
export class ErrorReporter {
  readonly #log: Log;
  readonly #showLog: () => void;
  /** Failures that were just reported: several callers may have waited for the same one. */
  readonly #justTold = new Set<unknown>();

  constructor(log: Log, showLog: () => void) {
    this.#log = log;
    this.#showLog = showLog;
  }

  /** Shows a failure. Does not wait until the person closes the notification. */
  report(error: unknown): void {
    if (isAbort(error) || this.#justTold.has(error)) {
      return;
    }
    this.#justTold.add(error);
    // Only for this moment: what fails again later is reported again.
    setImmediate(() => this.#justTold.delete(error));
    this.#log.error(messageOf(error), error);
    if (isAppError(error) && error.code === 'host.notTrusted') {
      void offerTrust(nativeText(errorSentence(error)));
      return;
    }
    const detail = isAppError(error) ? error.detail : undefined;
    const showLog = vscode.l10n.t('Show Log');
    void vscode.window.showErrorMessage(nativeText(errorSentence(error)), showLog).then((picked) => {
      if (picked === showLog) {
        if (detail !== undefined) {
          this.#log.info(detail);
        }
        this.#showLog();
      }
    });
  }

  /** Shows what a client calls an error. The sentence names the client. */
  relay(sentence: string): void {
    void vscode.window.showErrorMessage(nativeText(sentence, 600));
  }

  /** Shows a warning with one thing to do about it; true when the person wants that. The offer stays while they look at the log. */
  async offer(sentence: string, action: string): Promise<boolean> {
    this.#log.warn(sentence);
    const showLog = vscode.l10n.t('Show Log');
    for (;;) {
      const picked = await vscode.window.showWarningMessage(nativeText(sentence), action, showLog);
      if (picked !== showLog) {
        return picked === action;
      }
      this.#showLog();
    }
  }

  /** Shows a warning without buttons. */
  warn(sentence: string): void {
    this.#log.warn(sentence);
    void vscode.window.showWarningMessage(nativeText(sentence));
  }
}

/** Reports the one failure that a command of VS Code mends: the workspace is not trusted. */
async function offerTrust(sentence: string): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await vscode.window.showWarningMessage(sentence, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}

/**
 * The sentence of a failure in the language of the editor. Text from outside may be in it: make it safe for where it is shown
 * (nativeText).
 */
export function errorSentence(error: unknown): string {
  return sentenceOfError(error, say);
}

/** Says a sentence of any room in the language of the editor. */
export const say: Say = (sentence, args) => sayBy(vscode.l10n.t)(sentence, args);
