import * as vscode from 'vscode';
import type { ErrorReporter } from './errorReporter.ts';

export function tellNothingRecorded(reason: string, reporter: ErrorReporter): void {
  reporter.warn(
    vscode.l10n.t(
      'Duplex cannot write its audit log. Until it can, nothing that acts is done: no server starts and no tool is called. {0}',
      reason,
    ),
  );
}
