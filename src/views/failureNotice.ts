import * as vscode from 'vscode';
import { views } from '../contract/identity.ts';
import { needsSignIn, type ServerSnapshot } from '../host/shared/serverState.ts';
import { errorSentence } from './errorSentence.ts';
import { nativeText } from './nativeText.ts';
import { quotedNames } from './quotedNames.ts';
import { offerSignIn } from './signInNotice.ts';

export interface FailureActions {
  readonly showLog: (label: string) => void;
  readonly signIn: (id: string) => void;
}

/** One notification for each server that wants a sign-in, and one for all others that failed together. */
export async function tellOfFailures(failed: readonly ServerSnapshot[], { showLog, signIn }: FailureActions): Promise<void> {
  const others = failed.filter((server) => !needsSignIn(server));
  await Promise.all([
    ...failed.filter(needsSignIn).map((server) => offerSignIn(server.label, () => signIn(server.id))),
    ...(others.length > 0 ? [tellOfBroken(others, showLog)] : []),
  ]);
}

async function tellOfBroken(failed: readonly ServerSnapshot[], showLog: (label: string) => void): Promise<void> {
  const showServers = vscode.l10n.t('Show Servers');
  const [first] = failed;
  if (failed.length === 1 && first?.state.kind === 'failed') {
    const log = vscode.l10n.t('Show Log');
    const sentence = vscode.l10n.t(
      'The MCP server “{0}” failed: {1}',
      nativeText(first.label, 60),
      nativeText(errorSentence(first.state.error), 300),
    );
    const picked = await vscode.window.showWarningMessage(sentence, showServers, log);
    if (picked === log) {
      showLog(first.label);
    }
    await focusIf(picked === showServers);
    return;
  }
  const names = quotedNames(failed.map((server) => server.label));
  const picked = await vscode.window.showWarningMessage(vscode.l10n.t('{0} MCP servers failed: {1}', failed.length, names), showServers);
  await focusIf(picked === showServers);
}

async function focusIf(isWanted: boolean): Promise<void> {
  if (isWanted) {
    await vscode.commands.executeCommand(`${views.servers}.focus`);
  }
}
