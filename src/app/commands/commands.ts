// commands/: what each command does, in groups: it asks the views and calls the rooms. This file puts the groups together.
import type { CommandHandlers } from '../../views/commandTable.ts';
import { chatCommands } from './chatCommands.ts';
import { clientCommands } from './clientCommands.ts';
import type { CommandContext } from './commandContext.ts';
import { contentCommands } from './contentCommands.ts';
import { definitionCommands } from './definitionCommands.ts';
import { overviewCommands } from './overviewCommands.ts';
import { serverCommands } from './serverCommands.ts';
import { toolCommands } from './toolCommands.ts';

/** What each command of the contract does. */
export function commandHandlers(context: CommandContext): CommandHandlers {
  return {
    ...chatCommands(context),
    ...serverCommands(context),
    ...definitionCommands(context),
    ...toolCommands(context),
    ...contentCommands(context),
    ...clientCommands(context),
    ...overviewCommands(context),
  };
}
