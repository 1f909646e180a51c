import * as vscode from 'vscode';
import { doDoctorAction } from '../views/doctorActions.ts';
import { DoctorPanel } from '../views/doctorPanel.ts';
import { doctorReport } from '../views/doctorReport.ts';
import { openDefinition } from '../views/openDefinition.ts';
import type { Event } from '../base/events.ts';
import type { PagesJoinOptions } from './viewsJoinOptions.ts';

/** Joins the doctor's page to everything it looks at. */
export function joinDoctor(options: PagesJoinOptions, onDidChange: Event<void>): DoctorPanel {
  const { extensionUri, version, host, server, settings, secrets, logs, reporter, log } = options;
  const { registry } = host;
  const report = (): ReturnType<typeof doctorReport> =>
    doctorReport({
      duplexVersion: version,
      isTrusted: vscode.workspace.isTrusted,
      env: process.env,
      askedShell: host.askedShell,
      servers: registry.servers(),
      logOf: (label) => logs.linesOf(label),
      secretsOf: (id) => secrets.of(id),
      problems: registry.problems(),
      embedded: server.state,
      isServerEnabled: settings.get('duplex.server.enabled'),
      hasProxySetting: settings.hasProxy(),
    });
  return new DoctorPanel({
    extensionUri,
    report,
    act: (finding, action) => {
      const subjects = { servers: registry.servers(), problems: registry.problems(), openPlace: openDefinition };
      doDoctorAction(finding, action, subjects).then(undefined, (error: unknown) => reporter.report(error));
    },
    onDidChange,
    log,
  });
}
