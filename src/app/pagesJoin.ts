import type { Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { AuditPanel } from '../views/auditPanel.ts';
import type { DoctorPanel } from '../views/doctorPanel.ts';
import { PermissionsPanel } from '../views/permissionsPanel.ts';
import { joinDoctor } from './doctorJoin.ts';
import type { PagesJoinOptions } from './viewsJoinOptions.ts';

/** Pages in editor tabs that a command shows: made when the first command is used. */
export interface Pages extends Disposable {
  readonly doctor: DoctorPanel;
  readonly auditLog: AuditPanel;
  readonly permissions: PermissionsPanel;
}

export function joinPages(options: PagesJoinOptions, onDidChange: Event<void>): Pages {
  const lifetime = new DisposableStore();
  return {
    doctor: lifetime.add(joinDoctor(options, onDidChange)),
    auditLog: lifetime.add(joinAuditPage(options)),
    permissions: lifetime.add(joinPermissions(options)),
    dispose: () => lifetime.dispose(),
  };
}

/** Joins the page to the record; what waits to be written is written first. */
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
