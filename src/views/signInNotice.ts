import * as vscode from 'vscode';
import type { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { SignedInServers } from '../host/signedInServers.ts';
import type { SignIns } from '../host/auth/signIns.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import { errorSentence } from './errorSentence.ts';
import { nativeText } from './nativeText.ts';
import { adviceFor } from './serverAdvice.ts';

/** A server wants to know who the person is. */
export async function offerSignIn(label: string, signIn: () => void): Promise<void> {
  const button = vscode.l10n.t('Sign In');
  const sentence = vscode.l10n.t('The MCP server “{0}” wants you to sign in.', nativeText(label, 60));
  if ((await vscode.window.showInformationMessage(sentence, button)) === button) {
    signIn();
  }
}

export interface SignInActions {
  /** Of the server. */
  readonly log: Log;
  readonly tryAgain: () => void;
}

/** Through the browser. What goes wrong is told here, with a way to try again. */
export async function signInThroughBrowser(
  { id, label }: ServerSnapshot,
  signIns: Pick<SignIns, 'signIn' | 'cancelSignIn'>,
  { log, tryAgain }: SignInActions,
): Promise<void> {
  const cancel = (): void => signIns.cancelSignIn(id);
  const outcome = await withSignInProgress(label, cancel, () => signIns.signIn(id));
  if (outcome.kind !== 'failed' || outcome.error.code === 'auth.cancelled') {
    return;
  }
  log.warn(`The sign-in failed: ${outcome.error.message}`);
  void tellSignInFailed(label, outcome.error).then((isAgain) => {
    if (isAgain) {
      tryAgain();
    }
  });
}

export function tellSignedOut(label: string, outcome: Awaited<ReturnType<SignedInServers['signOut']>>): void {
  const name = nativeText(label);
  const sentences = {
    notSignedIn: vscode.l10n.t('You are not signed in to “{0}”.', name),
    revoked: vscode.l10n.t('Signed out of “{0}”.', name),
    forgotten: vscode.l10n.t('Signed out of “{0}” on this machine. The server could not be told; the sign-in ends there by itself.', name),
  };
  void vscode.window.showInformationMessage(sentences[outcome]);
}

/** Stands while the person is in the browser, with a way to give up. */
function withSignInProgress<T>(label: string, cancel: () => void, signedIn: () => Promise<T>): Thenable<T> {
  const title = vscode.l10n.t('Signing in to “{0}”: go on in your browser.', nativeText(label, 60));
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
async function tellSignInFailed(label: string, error: AppError): Promise<boolean> {
  const again = vscode.l10n.t('Try Again');
  const reason = [errorSentence(error), adviceFor(error) ?? ''].join(' ');
  const sentence = vscode.l10n.t('Signing in to “{0}” failed. {1}', nativeText(label, 60), nativeText(reason, 400));
  return (await vscode.window.showWarningMessage(sentence, again)) === again;
}
