import * as vscode from 'vscode';
import type { AppError } from '../base/errors.ts';

/** What a person can do about a server's failure; nothing when there is nothing sensible to say. */
export function adviceFor({ code }: AppError): string | undefined {
  switch (code) {
    case 'definitions.commandNotFound':
    case 'host.spawnFailed':
      return vscode.l10n.t('Check that the program is installed and that a terminal finds it; an absolute path as “command” always works.');
    case 'definitions.fileNotFound':
    case 'definitions.envFileUnreadable':
    case 'definitions.envFileUnusable':
    case 'definitions.noWorkingFolder':
      return vscode.l10n.t('Correct the path in the definition.');
    case 'definitions.unknownVariable':
    case 'definitions.unknownFolder':
    case 'definitions.noFolder':
      return vscode.l10n.t('Correct the variable in the definition, or open the folder it stands for.');
    case 'host.notTrusted':
      return vscode.l10n.t('Trust this workspace to let servers start.');
    case 'host.startDenied':
      return vscode.l10n.t('Take the answer back with “Duplex: Manage Permissions”.');
    case 'host.unauthorized':
      return vscode.l10n.t('Press Start to sign in.');
    case 'host.timeout':
      return vscode.l10n.t('See its log; a slow server may need a larger “timeout” in its definition.');
    case 'host.serverEnded':
    case 'host.connectionClosed':
    case 'host.invalidAnswer':
    case 'host.lineTooLong':
    case 'host.serverError':
      return vscode.l10n.t('See its log for what it said last, and press Start to try again.');
    default:
      return networkAdvice(code);
  }
}

/** Codes of the network itself: a remote server that is not there. */
function networkAdvice(code: string): string | undefined {
  if (/tls|certificate/i.test(code)) {
    return vscode.l10n.t('Check the certificate, or name your own authority as “tls.ca” in the definition.');
  }
  if (/network|unreachable|connect|http/i.test(code)) {
    return vscode.l10n.t('Check the address, your network and your proxy settings.');
  }
  return undefined;
}
