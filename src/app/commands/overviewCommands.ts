import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type ReviewCommand = 'acceptAndSave' | 'accept' | 'reject' | 'acceptAllAndSave' | 'acceptAll' | 'rejectAll';
type OverviewCommand = 'doctor' | 'managePermissions' | 'showAuditLog' | 'showTraffic' | 'showPermissionQuestions' | ReviewCommand;

/** What is allowed, what is asked, and whether all is well. */
export function overviewCommands(context: CommandContext): Pick<CommandHandlers, OverviewCommand> {
  const { panel, pages, trafficView, reviews, waiting, chatView } = context;
  return {
    doctor: () => pages.doctor.show(),
    managePermissions: () => pages.permissions.show(),
    showAuditLog: () => pages.auditLog.show(),
    showTraffic: () => trafficView.show(),
    // With an argument it is about that question, or about nothing any more.
    showPermissionQuestions: (argument) => {
      const surface = typeof argument === 'string' ? waiting.surfaceOf(argument) : (waiting.firstSurface ?? 'panel');
      const shown = { panel: () => panel.show(), review: () => reviews.show(argument), chat: () => chatView.showQuestion(argument) };
      return surface === undefined ? undefined : shown[surface]();
    },
    acceptAndSave: (argument) => reviews.accept(argument, { isToBeSaved: true }),
    accept: (argument) => reviews.accept(argument),
    reject: (argument) => reviews.reject(argument),
    acceptAllAndSave: (argument) => reviews.accept(argument, { isForAll: true, isToBeSaved: true }),
    acceptAll: (argument) => reviews.accept(argument, { isForAll: true }),
    rejectAll: (argument) => reviews.reject(argument, { isForAll: true }),
  };
}
