import * as vscode from 'vscode';
import { isAbort, isAppError, messageOf, type Say, sayBy } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { nativeText } from './nativeText.ts';
import { sentenceOfError } from './sentences/translate.ts';

/**
 * Speaks to people about what failed, unless a notice of its own can offer more (servers/serverNotices.ts, servers/serverStarts.ts): a sentence
 * in a notification, the rest one click away.
 */
export class ErrorReporter {
  readonly #log: Log;
  readonly #showLog: () => void;
  /** Several may have waited for what failed. */
  readonly #justTold = new Set<unknown>();

  constructor(log: Log, showLog: () => void) {
    this.#log = log;
    this.#showLog = showLog;
  }

  /** Does not wait for the person to close the notification. */
  report(error: unknown): void {
    if (isAbort(error) || this.#justTold.has(error)) {
      return;
    }
    this.#justTold.add(error);
    // Only of this moment: what fails again when it is tried again is told again.
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

  /** What somebody else calls an error, in words that say whose it is. */
  relay(sentence: string): void {
    void vscode.window.showErrorMessage(nativeText(sentence, 600));
  }

  /** A warning that asks for nothing. */
  warn(sentence: string): void {
    this.#log.warn(sentence);
    void vscode.window.showWarningMessage(nativeText(sentence));
  }
}

/** The one failure whose remedy is a command of VS Code. */
async function offerTrust(sentence: string): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await vscode.window.showWarningMessage(sentence, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}

/** What a failure says to a person, in the language of their editor. Still to be made safe for where it is shown. */
export function errorSentence(error: unknown): string {
  return sentenceOfError(error, say);
}

/** Says a sentence of any room in the language of the person's editor. */
export const say: Say = (sentence, args) => sayBy(vscode.l10n.t)(sentence, args);
