import * as vscode from 'vscode';
import type { DoctorFinding } from '../contract/doctorMessages.ts';
import { diagnoseLog, type LogFinding } from '../host/logDiagnosis.ts';
import { needsPermission, needsSignIn, type ServerSnapshot } from '../host/shared/serverState.ts';
import { nativeText } from './nativeText.ts';
import { logWords } from './sentences/logWords.ts';
import { describeServer } from './serverDescription.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** Failures whose sentence says all there is to say; of the others the log may know more. */
const selfEvident =
  /^(?:definitions\.|auth\.|host\.(?:unauthorized|forbidden|startDenied|notTrusted|tlsFile|secretsOverPlainHttp|spawnFailed)$)/;

/** One server in the doctor's report: how it is, what its log shows, and the buttons that mend it. None of its `secrets`. */
export function serverFinding(server: ServerSnapshot, log: readonly string[], secrets: readonly string[]): DoctorFinding {
  const { state } = server;
  const { sentence, advice, facts } = describeServer(server);
  const isUnclear = (state.kind === 'failed' && !selfEvident.test(state.error.code)) || (state.kind === 'starting' && state.attempt > 1);
  // Before a line is cut: half of a secret would not be known as one.
  const shown = isUnclear ? diagnoseLog(log.map((line) => withoutSecrets(line, secrets))) : undefined;
  const words = shown === undefined ? undefined : logWords(shown, vscode.l10n.t);
  const tell = (text: string, maxLength: number): string => nativeText(withoutSecrets(text, secrets), maxLength);
  const common = {
    id: server.id,
    severity: severityOf(server),
    name: nativeText(server.label),
    text: [sentence, ...facts, ...(words === undefined ? [] : [words.sentence])].map((line) => tell(line, 600)).join(' '),
    actions: actionsOf(server, shown),
  };
  // What the log shows is better than any guess.
  const told = words?.advice ?? advice;
  return {
    ...common,
    ...(shown !== undefined && { evidence: tell(shown.line, 500) }),
    ...(told !== undefined && { advice: tell(told, 600) }),
  };
}

function severityOf(server: ServerSnapshot): DoctorFinding['severity'] {
  switch (server.state.kind) {
    case 'ready':
      return 'good';
    case 'failed':
      return needsSignIn(server) || server.state.retryAt !== undefined ? 'warning' : 'error';
    case 'starting':
      return 'note';
    case 'stopped':
      return needsPermission(server) ? 'warning' : 'note';
  }
}

function actionsOf(server: ServerSnapshot, shown: LogFinding | undefined): DoctorFinding['actions'] {
  const { state, scope } = server;
  if (scope === 'builtIn') {
    return [];
  }
  const start = { action: 'start' as const, label: vscode.l10n.t('Start') };
  const signIn = { action: 'start' as const, label: vscode.l10n.t('Sign In') };
  const log = { action: 'showLog' as const, label: vscode.l10n.t('Show Log') };
  const definition = { action: 'openDefinition' as const, label: vscode.l10n.t('Open Definition') };
  const permissions = { action: 'managePermissions' as const, label: vscode.l10n.t('Manage Permissions') };
  switch (state.kind) {
    case 'ready':
      return [{ action: 'restart', label: vscode.l10n.t('Restart') }, log];
    case 'starting':
      return [log];
    case 'stopped':
      return state.reason === 'disabled' || state.reason === 'thisEditor' ? [definition] : [start, definition];
    case 'failed':
      if (needsSignIn(server)) {
        return [signIn, log];
      }
      if (state.error.code === 'host.startDenied') {
        return [permissions];
      }
      // What mends it comes first.
      return shown?.kind === 'missingVariable' || state.error.code.startsWith('definitions.')
        ? [definition, start, log]
        : [start, log, definition];
  }
}
