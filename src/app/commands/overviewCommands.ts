import type { CommandHandlers } from '../../views/commandTable.ts';
import { managePermissions } from '../../views/managePermissions.ts';
import type { CommandContext } from './commandContext.ts';

type OverviewCommand = 'doctor' | 'managePermissions' | 'showPermissionQuestions' | 'accept' | 'reject';

/** What is allowed, what is asked, and whether all is well. */
export function overviewCommands(context: CommandContext): Pick<CommandHandlers, OverviewCommand> {
  const { host, ledger, panel, doctor, reviews, waiting } = context;
  return {
    doctor: () => doctor.show(),
    managePermissions: () =>
      managePermissions(ledger, (id) => ({ name: host.registry.labelOf(id), isHere: host.registry.find(id) !== undefined })),
    showPermissionQuestions: () => (waiting.firstSurface === 'review' ? reviews.show() : panel.show()),
    accept: (argument) => reviews.accept(argument),
    reject: (argument) => reviews.reject(argument),
  };
}
