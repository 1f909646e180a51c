// commands/: what each command does, in groups: it asks the views and calls the rooms. This file puts the groups together.
import type { Event } from '../../base/events.ts';
import type { DisposableStore } from '../../base/lifecycle.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { joinPages } from '../pagesJoin.ts';
import { chatCommands } from './chatCommands.ts';
import { clientCommands } from './clientCommands.ts';
import type { CommandContext } from './commandContext.ts';
import { contentCommands } from './contentCommands.ts';
import { definitionCommands } from './definitionCommands.ts';
import { overviewCommands } from './overviewCommands.ts';
import { serverCommands } from './serverCommands.ts';
import { toolCommands } from './toolCommands.ts';

/** Joins the commands to what they act on, and the pages to what they show. Loaded when the first command is used. */
export function joinCommands(acted: Omit<CommandContext, 'pages'>, onDidChange: Event<void>, lifetime: DisposableStore): CommandHandlers {
  return commandHandlers({ ...acted, pages: lifetime.add(joinPages(acted, onDidChange)) });
}

/** What each command of the contract does. */
function commandHandlers(context: CommandContext): CommandHandlers {
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
