import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type OverviewCommand = 'doctor' | 'managePermissions' | 'showAuditLog' | 'showPermissionQuestions' | 'accept' | 'reject';

/** What is allowed, what is asked, and whether all is well. */
export function overviewCommands(context: CommandContext): Pick<CommandHandlers, OverviewCommand> {
  const { panel, pages, reviews, waiting } = context;
  return {
    doctor: () => pages.doctor.show(),
    managePermissions: () => pages.permissions.show(),
    showAuditLog: () => pages.auditLog.show(),
    showPermissionQuestions: () => (waiting.firstSurface === 'review' ? reviews.show() : panel.show()),
    accept: (argument) => reviews.accept(argument),
    reject: (argument) => reviews.reject(argument),
  };
}
