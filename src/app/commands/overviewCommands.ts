import type { CommandHandlers } from '../../views/commandTable.ts';
import { managePermissions } from '../../views/managePermissions.ts';
import type { CommandContext } from './commandContext.ts';

type ReviewCommand = 'acceptAndSave' | 'accept' | 'reject' | 'acceptAllAndSave' | 'acceptAll' | 'rejectAll';
type OverviewCommand = 'doctor' | 'managePermissions' | 'showPermissionQuestions' | ReviewCommand;

/** What is allowed, what is asked, and whether all is well. */
export function overviewCommands(context: CommandContext): Pick<CommandHandlers, OverviewCommand> {
  const { host, ledger, panel, doctor, reviews, waiting } = context;
  return {
    doctor: () => doctor.show(),
    managePermissions: () =>
      managePermissions(ledger, (id) => ({ name: host.registry.labelOf(id), isHere: host.registry.find(id) !== undefined })),
    // With an argument it is about that proposed change.
    showPermissionQuestions: (argument) =>
      typeof argument === 'string' || waiting.firstSurface === 'review' ? reviews.show(argument) : panel.show(),
    acceptAndSave: (argument) => reviews.accept(argument, { isToBeSaved: true }),
    accept: (argument) => reviews.accept(argument),
    reject: (argument) => reviews.reject(argument),
    acceptAllAndSave: (argument) => reviews.accept(argument, { isForAll: true, isToBeSaved: true }),
    acceptAll: (argument) => reviews.accept(argument, { isForAll: true }),
    rejectAll: (argument) => reviews.reject(argument, { isForAll: true }),
  };
}
