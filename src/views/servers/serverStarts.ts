import * as vscode from 'vscode';
import { neverAborted } from '../../base/abort.ts';
import type { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { OpenQuestions } from '../../consent/openQuestions.ts';
import type { ServerLogs } from '../../editor/logs/serverLogs.ts';
import type { ReceiverTexts } from '../../host/auth/loopbackReceiver.ts';
import type { SignIns } from '../../host/auth/signIns.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import { needsSignIn, type ServerSnapshot, type ServerState } from '../../host/shared/serverState.ts';
import type { SignedInServers } from '../../host/starting/signedInServers.ts';
import { type ErrorReporter, errorSentence } from '../errorReporter.ts';
import { nativeText } from '../nativeText.ts';
import { adviceFor } from './serverAdvice.ts';

export interface ServerStartsOptions {
  readonly registry: HostRegistry;
  readonly signIns: SignIns;
  /** Asks the person whether a server may start, in the consent panel. */
  readonly ask: OpenQuestions['askOwn'];
  readonly logs: ServerLogs;
  readonly reporter: ErrorReporter;
}

/** Starts servers when the person asks for it: with a sign-in where one is needed, and with the question whether the server may start. */
export class ServerStarts {
  readonly #options: ServerStartsOptions;

  constructor(options: ServerStartsOptions) {
    this.#options = options;
  }

  /** Starts a server and returns the state it reached. `giveBack` puts the focus back to where it was before the question took it. */
  async start(id: string, giveBack?: () => void): Promise<ServerState> {
    const { registry, signIns, logs } = this.#options;
    registry.requireTrust();
    const server = registry.servers().find((each) => each.id === id);
    if (server !== undefined && needsSignIn(server) && signIns.canSignIn(id)) {
      const failure = await signInThroughBrowser(server, signIns, { log: logs.logFor(server.label) });
      if (failure !== undefined) {
        void tellSignInFailed(server.label, failure).then((isAgain) => (isAgain ? this.startAndReport(id) : undefined));
      }
      // Without a sign-in the server would refuse again.
      if (!signIns.isSignedIn(id)) {
        return server.state;
      }
    }
    return registry.start(id, { ask: this.#ask(giveBack), signal: neverAborted() });
  }

  async restart(id: string, giveBack?: () => void): Promise<ServerState> {
    this.#options.registry.requireTrust();
    return this.#options.registry.restart(id, { ask: this.#ask(giveBack), signal: neverAborted() });
  }

  /** Asks whether a confined server may reach a host, and starts it anew. */
  async allowHost(id: string, host: string): Promise<ServerState> {
    this.#options.registry.requireTrust();
    return this.#options.registry.allowHost(id, host, { ask: this.#ask(undefined), signal: neverAborted() });
  }

  /** Starts a server for the button of a notification, where nobody waits for the outcome. */
  startAndReport(id: string): void {
    this.start(id).catch((error: unknown) => this.#options.reporter.report(error));
  }

  /**
   * Signs in again for the button of a notification, for the scope that it named, until that works or the person gives it up. A server
   * that runs keeps running; one that would not begin with less is started by the sign-in.
   */
  async signInForMore(id: string, scope: string | undefined): Promise<void> {
    const { registry, signIns, logs } = this.#options;
    const server = registry.servers().find((each) => each.id === id);
    for (let isWanted = server !== undefined; server !== undefined && isWanted;) {
      const failure = await signInThroughBrowser(server, signIns, { scope, log: logs.logFor(server.label) });
      isWanted = failure !== undefined && (await tellSignInFailed(server.label, failure));
    }
  }

  #ask(giveBack: (() => void) | undefined): Ask {
    const { ask } = this.#options;
    return giveBack === undefined ? ask : (question, signal) => ask(question, signal, { show: () => undefined, hide: giveBack });
  }
}

/** Offers to sign in to a server that refuses without. */
export async function offerSignIn(label: string, signIn: () => void): Promise<void> {
  const button = vscode.l10n.t('Sign In');
  const sentence = vscode.l10n.t('The MCP server “{0}” wants you to sign in.', nativeText(label, 60));
  if ((await vscode.window.showInformationMessage(sentence, button)) === button) {
    signIn();
  }
}

/** Offers to sign in again to a server that wants more than it was granted. `scope` is a text of the server. True when the person wants to. */
export async function offerMoreAccess(label: string, scope: string | undefined): Promise<boolean> {
  const button = vscode.l10n.t('Sign In');
  const name = nativeText(label, 60);
  const sentence =
    scope === undefined
      ? vscode.l10n.t('The MCP server “{0}” wants more access.', name)
      : vscode.l10n.t('The MCP server “{0}” wants more access: {1}', name, nativeText(scope));
  return (await vscode.window.showInformationMessage(sentence, button)) === button;
}

export interface SignInActions {
  /** What the person agreed to add to what was granted. */
  readonly scope?: string | undefined;
  /** The log of the server. */
  readonly log: Log;
}

/** Signs in through the browser. Resolves to why that failed, unless the person cancelled it. */
async function signInThroughBrowser(
  { id, label }: ServerSnapshot,
  signIns: Pick<SignIns, 'signIn' | 'cancelSignIn'>,
  { scope, log }: SignInActions,
): Promise<AppError | undefined> {
  const cancel = (): void => signIns.cancelSignIn(id);
  const outcome = await withSignInProgress(label, cancel, () => signIns.signIn(id, scope));
  if (outcome.kind !== 'failed' || outcome.error.code === 'auth.cancelled') {
    return undefined;
  }
  log.warn(`The sign-in failed: ${outcome.error.message}`);
  return outcome.error;
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

/** Shows a notification with Cancel while the person is in the browser. */
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

/** Tells why a sign-in failed. True when the person wants to try again. */
async function tellSignInFailed(label: string, error: AppError): Promise<boolean> {
  const again = vscode.l10n.t('Try Again');
  const reason = [errorSentence(error), adviceFor(error) ?? ''].join(' ');
  const sentence = vscode.l10n.t('Signing in to “{0}” failed. {1}', nativeText(label, 60), nativeText(reason, 400));
  return (await vscode.window.showWarningMessage(sentence, again)) === again;
}

/** What the browser shows when it comes back from a sign-in. */
export function receiverTexts(): ReceiverTexts {
  return {
    language: vscode.env.language,
    done: vscode.l10n.t('Duplex has the answer. You can close this page.'),
    notOurs: vscode.l10n.t('This answer does not belong to a sign-in that Duplex started.'),
  };
}
