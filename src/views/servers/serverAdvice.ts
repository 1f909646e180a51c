import * as vscode from 'vscode';
import { type AppError, isCodeOf } from '../../base/errors.ts';
import type { definitionErrorTable } from '../../definitions/definitionErrors.ts';
import { authErrorTable } from '../../host/auth/authErrors.ts';
import { connectionErrorTable, hostErrorTable } from '../../host/shared/hostErrors.ts';
import type { platformErrorTable } from '../../platform/platformErrors.ts';

/** What a person can do about a server's failure; nothing when there is nothing sensible to say. */
export function adviceFor({ code, args }: AppError): string | undefined {
  if (isCodeOf(hostErrorTable, code)) {
    return hostAdvice(code);
  }
  if (isCodeOf(connectionErrorTable, code)) {
    return code === 'host.unauthorized' ? signInAdvice(args['canSignIn'] === true) : connectionAdvice(code);
  }
  return isCodeOf(authErrorTable, code) ? authAdvice(code) : definitionAdvice(code);
}

type DefinitionCode = keyof typeof definitionErrorTable | keyof typeof platformErrorTable;

/** Advice about a definition that cannot be used. Most of these failures say themselves what to correct. */
function definitionAdvice(code: string): string | undefined {
  const advice: Partial<Record<DefinitionCode, string>> = {
    'definitions.commandNotFound': programAdvice(),
    'definitions.fileNotFound': pathAdvice(),
    'definitions.envFileUnreadable': pathAdvice(),
    'definitions.envFileUnusable': pathAdvice(),
    'definitions.noWorkingFolder': pathAdvice(),
    'definitions.otherMachine': pathAdvice(),
    'definitions.unknownVariable': variableAdvice(),
    'definitions.unknownFolder': variableAdvice(),
    'definitions.noFolder': variableAdvice(),
  };
  return advice[code as DefinitionCode];
}

function pathAdvice(): string {
  return vscode.l10n.t('Correct the path in the definition.');
}

function variableAdvice(): string {
  return vscode.l10n.t('Correct the variable in the definition, or open the folder it stands for.');
}

function programAdvice(): string {
  return vscode.l10n.t('Check that the program is installed and that a terminal finds it; an absolute path as “command” always works.');
}

function signInAdvice(canSignIn: boolean): string {
  return canSignIn
    ? vscode.l10n.t('Press Start to sign in with your browser.')
    : vscode.l10n.t('Press Start to sign in with your browser; if its definition has an “Authorization” header, correct that.');
}

/** Advice about a server that does not start. Failures of single calls have none. */
function hostAdvice(code: keyof typeof hostErrorTable): string | undefined {
  switch (code) {
    case 'host.spawnFailed':
      return programAdvice();
    case 'host.noBox':
      return vscode.l10n.t('Install them with the package manager of your system, or start the server again and do not confine it.');
    case 'host.boxUnreliable':
      return vscode.l10n.t(
        'Start the server again: the question says what went wrong, and whether to start it without a box is yours to say.',
      );
    case 'host.notFetched':
      return vscode.l10n.t('Check your network and the name of the package; its log has the last words of npm.');
    case 'host.notTrusted':
      return vscode.l10n.t('Trust this workspace to let servers start.');
    case 'host.secretsOverPlainHttp':
      return vscode.l10n.t('Use an https:// address in the definition.');
    case 'host.negotiationFailed':
    case 'host.unexpected':
      return logAdvice();
    case 'host.startDenied': // its own sentence says what to do
    case 'host.shuttingDown':
    case 'host.unknownServer':
    case 'host.notRunning':
    case 'host.notOffered':
    case 'host.offerEnded':
    case 'host.offerChanged':
    case 'host.addressTwice':
    case 'host.unknownTool':
    case 'host.toolChanged':
    case 'host.appMissing':
    case 'host.appType':
    case 'host.appTooLarge':
    case 'host.badArguments':
    case 'host.inexactArguments':
    case 'host.taskTooLong':
    case 'host.taskCancelled':
    case 'host.taskFailed':
    case 'host.taskWithoutResult':
      return undefined;
  }
}

function logAdvice(): string {
  return vscode.l10n.t('See its log for what it said last, and press Start to try again.');
}

/** Advice about a connection that is lost or cannot be made. */
function connectionAdvice(code: Exclude<keyof typeof connectionErrorTable, 'host.unauthorized'>): string | undefined {
  switch (code) {
    case 'host.forbidden':
      return vscode.l10n.t('Ask whoever runs the server for access, or sign out and sign in as somebody else.');
    case 'host.timeout':
      return vscode.l10n.t('See its log; a slow server may need a larger “timeout” in its definition.');
    case 'host.serverEnded':
    case 'host.connectionClosed':
    case 'host.closedByServer':
    case 'host.invalidAnswer':
    case 'host.lineTooLong':
    case 'host.serverError':
    case 'host.serverNotReading':
    case 'host.supervisorEnded':
    case 'host.answerLost':
    case 'host.silentTooLong':
    case 'host.sessionExpired':
    case 'host.unhealthy':
      return logAdvice();
    case 'host.messageTooLarge':
    case 'host.messageTooDeep':
    case 'host.tooManyValues':
    case 'host.tooManyMessages':
    case 'host.answerTooLarge':
    case 'host.listTooLarge':
    case 'host.listTooLong':
    case 'host.endlessList':
      return vscode.l10n.t('The server goes beyond what Duplex accepts from one; tell whoever makes it.');
    case 'host.unreachable':
    case 'host.httpStatus':
      return vscode.l10n.t('Check the address, your network and your proxy settings.');
    case 'host.unavailable':
      return vscode.l10n.t('It has too much to do or is being repaired; press Start to try again.');
    case 'host.certificate':
      return vscode.l10n.t('Check the certificate, or name your own authority as “tls.ca” in the definition.');
    case 'host.resourceTooLarge':
    case 'host.skillTooLarge':
    case 'host.appGone':
      return undefined;
  }
}

/** Advice about a sign-in that failed. */
function authAdvice(code: keyof typeof authErrorTable): string {
  switch (code) {
    case 'auth.browserNotOpened':
      return vscode.l10n.t('Allow the page to open when VS Code asks.');
    case 'auth.cancelled':
    case 'auth.timeout':
    case 'auth.noAnswer':
    case 'auth.failed':
      return vscode.l10n.t('Sign in again.');
    case 'auth.issuerNotAllowed':
      return vscode.l10n.t('Sign in again, and allow it only if you know the address.');
    case 'auth.unknownServer':
      return vscode.l10n.t('Start the server first.');
    case 'auth.refused':
      return vscode.l10n.t('Sign in again with an account that may use the server.');
    case 'auth.unreachable':
      return vscode.l10n.t('Check your network and your proxy settings, and sign in again.');
    case 'auth.clientNeeded':
    case 'auth.registrationRefused':
      return vscode.l10n.t('Register Duplex where you sign in, and put the client id as “auth.clientId” into the definition.');
    case 'auth.notRevoked':
      return vscode.l10n.t('End the access in your account where you signed in.');
    case 'auth.insecureAddress':
    case 'auth.privateAddress':
    case 'auth.issuerMismatch':
    case 'auth.resourceMismatch':
    case 'auth.noPkce':
    case 'auth.badAnswer':
    case 'auth.answerTooLarge':
      return vscode.l10n.t('The sign-in would not be safe. Check the address in the definition, and tell whoever runs the server.');
  }
}
