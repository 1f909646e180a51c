import * as vscode from 'vscode';
import type { Event } from '../../base/events.ts';
import { Late } from '../../base/late.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { AuditPanel } from '../../views/audit/auditPanel.ts';
import { DoctorPanel, doDoctorAction } from '../../views/doctor/doctorPanel.ts';
import { createDoctorReport } from '../../views/doctor/doctorReport.ts';
import { PermissionsPanel } from '../../views/permissions/permissionsPanel.ts';
import type { RegistryPanel } from '../../views/registry/registryPanel.ts';
import { openDefinition } from '../../views/servers/files/openDefinition.ts';
import type { RegistryJoinOptions } from './registryJoin.ts';
import type { PagesJoinOptions } from './viewsJoinOptions.ts';

/** The pages in editor tabs that commands show. They are made when the first command is used. */
export interface Pages extends Disposable {
  readonly doctor: DoctorPanel;
  readonly auditLog: AuditPanel;
  readonly permissions: PermissionsPanel;
  /** The page of the registry is loaded when it is first shown. */
  readonly registry: Late<RegistryPanel>;
}

export function joinPages(options: PagesJoinOptions & RegistryJoinOptions, onDidChange: Event<void>): Pages {
  const lifetime = new DisposableStore();
  return {
    doctor: lifetime.add(joinDoctor(options, onDidChange)),
    auditLog: lifetime.add(joinAuditPage(options)),
    permissions: lifetime.add(joinPermissions(options)),
    registry: new Late(async () => lifetime.add((await import('./registryJoin.ts')).joinRegistry(options))),
    dispose: () => lifetime.dispose(),
  };
}

/** Joins the page to the audit log. Lines that wait to be written are written before the log is read. */
function joinAuditPage({ extensionUri, record, reporter, log }: PagesJoinOptions): AuditPanel {
  const { audit, lines, key } = record;
  return new AuditPanel({
    extensionUri,
    read: async () => {
      await audit.flush();
      return lines.read();
    },
    key,
    onFailure: (error) => reporter.report(error),
    log,
  });
}

function joinPermissions({ extensionUri, ledger, record, host, reporter, log }: PagesJoinOptions): PermissionsPanel {
  return new PermissionsPanel({
    extensionUri,
    ledger,
    didRevoke: ({ principal, subject: [, id = ''] }) =>
      record.audit.note({
        principal,
        peer: host.registry.labelOf(id),
        action: 'revoke',
        subject: '',
        decidedBy: 'person',
        outcome: 'succeeded',
      }),
    named: (id) => ({ name: host.registry.labelOf(id), isHere: host.registry.find(id) !== undefined }),
    onFailure: (error) => reporter.report(error),
    log,
  });
}

/** Joins the doctor's page to everything it looks at. */
function joinDoctor(options: PagesJoinOptions, onDidChange: Event<void>): DoctorPanel {
  const { extensionUri, version, host, server, settings, secrets, logs, reporter, log } = options;
  const { registry } = host;
  const report = (): ReturnType<typeof createDoctorReport> =>
    createDoctorReport({
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
