import * as vscode from 'vscode';
import type { AppError } from '../base/errors.ts';
import { errorSentence } from './errorSentence.ts';
import { nativeText } from './nativeText.ts';
import { adviceFor } from './serverAdvice.ts';

/** A server wants to know who the person is. */
export async function offerSignIn(label: string, signIn: () => void): Promise<void> {
  const button = vscode.l10n.t('Sign In');
  const sentence = vscode.l10n.t('The MCP server {0} wants you to sign in.', nativeText(label, 60));
  if ((await vscode.window.showInformationMessage(sentence, button)) === button) {
    signIn();
  }
}

/** Stands while the person is in the browser, with a way to give up. */
export function withSignInProgress<T>(label: string, cancel: () => void, signedIn: () => Promise<T>): Thenable<T> {
  const title = vscode.l10n.t('Signing in to {0}: go on in your browser.', nativeText(label, 60));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const subscription = token.onCancellationRequested(cancel);
    try {
      return await signedIn();
    } finally {
      subscription.dispose();
    }
  });
}

/** True when the person wants to try again. */
export async function tellSignInFailed(label: string, error: AppError): Promise<boolean> {
  const again = vscode.l10n.t('Try Again');
  const reason = [errorSentence(error), adviceFor(error) ?? ''].join(' ');
  const sentence = vscode.l10n.t('Signing in to {0} failed. {1}', nativeText(label, 60), nativeText(reason, 400));
  return (await vscode.window.showWarningMessage(sentence, again)) === again;
}
