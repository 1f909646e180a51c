import * as vscode from 'vscode';
import { views } from '../../contract/identity.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type OverviewCommand = 'doctor' | 'managePermissions' | 'showAuditLog' | 'showTraffic' | 'showPermissionQuestions';

/** The commands that show what is allowed, what is asked, and whether all is well. */
export function overviewCommands(context: CommandContext): Pick<CommandHandlers, OverviewCommand> {
  const { panel, pages, reviews, waiting, chatView } = context;
  return {
    doctor: () => pages.doctor.show(),
    managePermissions: () => pages.permissions.show(),
    showAuditLog: () => pages.auditLog.show(),
    showTraffic: () => vscode.commands.executeCommand(`${views.traffic}.focus`),
    // An argument names one question, which may have been answered meanwhile.
    showPermissionQuestions: async (argument) => {
      const surface = typeof argument === 'string' ? waiting.surfaceOf(argument) : (waiting.firstSurface ?? 'panel');
      const shown = {
        panel: () => panel.show(),
        review: async () => (await reviews.get()).show(argument),
        chat: () => chatView.showQuestion(argument),
      };
      return surface === undefined ? undefined : shown[surface]();
    },
  };
}
