import * as vscode from 'vscode';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { doctorReport } from '../../views/doctorReport.ts';
import { managePermissions } from '../../views/managePermissions.ts';
import type { CommandContext } from './commandContext.ts';

type OverviewCommand = 'doctor' | 'managePermissions' | 'showPermissionQuestions' | 'accept' | 'reject';

/** What is allowed, what is asked, and whether all is well. */
export function overviewCommands(context: CommandContext): Pick<CommandHandlers, OverviewCommand> {
  const { host, ledger, panel, reviews, waiting, documents } = context;
  return {
    doctor: () => documents.show('Duplex Doctor', 'md', doctorReport(findings(context))),
    managePermissions: () =>
      managePermissions(ledger, (id) => ({ name: host.registry.labelOf(id), isHere: host.registry.find(id) !== undefined })),
    showPermissionQuestions: () => (waiting.firstSurface === 'review' ? reviews.show() : panel.show()),
    accept: (argument) => reviews.accept(argument),
    reject: (argument) => reviews.reject(argument),
  };
}

function findings({ version, host, server, settings }: CommandContext): Parameters<typeof doctorReport>[0] {
  return {
    duplexVersion: version,
    isTrusted: vscode.workspace.isTrusted,
    env: process.env,
    askedShell: host.askedShell,
    servers: host.registry.servers(),
    problems: host.registry.problems(),
    embedded: server.state,
    isServerEnabled: settings.get('duplex.server.enabled'),
    hasProxySetting: settings.hasProxy(),
  };
}
