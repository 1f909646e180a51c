import * as vscode from 'vscode';
import type { SettingReading } from '../contract/settings/readSetting.ts';
import { describePolicyProblem, describeProblem } from '../contract/settings/settingProblems.ts';
import type { DuplexHome } from '../server/window/discovery.ts';
import type { EmbeddedServer, EmbeddedServerState } from '../server/window/serverCore.ts';
import { type ErrorReporter, say } from './errorReporter.ts';

/** Tells the person how the editor's own server started, if that is not what they would expect. */
export function reportStart(state: EmbeddedServerState, reporter: ErrorReporter): void {
  if (state.kind === 'failed') {
    reporter.report(state.error);
  } else if (state.kind === 'listening') {
    if (state.takenPort !== undefined) {
      reporter.warn(vscode.l10n.t('Port {0} is taken. Outside programs reach this editor on port {1}.', state.takenPort, state.port));
    }
    if (state.discovery.kind === 'failed') {
      reporter.report(state.discovery.error);
    }
  }
}

export function reportHome({ ignoredVariable }: DuplexHome, reporter: ErrorReporter): void {
  if (ignoredVariable !== undefined) {
    reporter.warn(vscode.l10n.t('DUPLEX_HOME points into this workspace and is ignored.'));
  }
}

/** Tells which entries of `duplex.server.limits` are ignored. */
export function reportServerLimits(limits: SettingReading<'duplex.server.limits'>, reporter: ErrorReporter): void {
  for (const problem of limits.kind === 'malformed' ? limits.problems : []) {
    reporter.warn(vscode.l10n.t('{0}; it is ignored.', describeProblem('duplex.server.limits', problem, say)));
  }
}

export function reportPolicy({ policy }: EmbeddedServer, reporter: ErrorReporter): void {
  if (policy.problem !== undefined) {
    reporter.warn(
      vscode.l10n.t(
        'duplex.server.policy is malformed ({0}). Until it is corrected, outside programs and the chat can do nothing that acts in this editor.',
        describePolicyProblem(policy.problem, say),
      ),
    );
  }
}

export function tellNothingRecorded(reason: string, reporter: ErrorReporter): void {
  reporter.warn(
    vscode.l10n.t(
      'Duplex cannot write its audit log. Until it can, nothing that acts is done: no server starts and no tool is called. {0}',
      reason,
    ),
  );
}

/** Tells of an answer that could not be stored. It still counts here, so that the person is not asked the same without end. */
export function tellAnswerNotStored(reason: string, reporter: ErrorReporter): void {
  reporter.warn(vscode.l10n.t('Your answer cannot be stored, so it holds until this window closes. {0}', reason));
}

export function tellNothingStored(reporter: ErrorReporter): void {
  reporter.warn(vscode.l10n.t('Permissions cannot be stored on this machine. Duplex asks again in every window.'));
}

/** The name of this window in a list from which a person picks one. */
export function windowName(workspace: string | undefined): string {
  return workspace ?? vscode.l10n.t('no folder');
}
