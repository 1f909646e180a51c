// commands/: what each command does, in groups: it asks the views and calls the rooms. This file puts the groups together.
import type { Event } from '../../base/events.ts';
import type { DisposableStore } from '../../base/lifecycle.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { joinPages } from '../pagesJoin.ts';
import { chatCommands } from './chatCommands.ts';
import { clientCommands } from './clientCommands.ts';
import type { CommandContext } from './commandContext.ts';
import { offerCommands } from './offerCommands.ts';
import { proposalCommands } from './proposalCommands.ts';
import { overviewCommands } from './overviewCommands.ts';
import { definitionCommands, serverCommands } from './serverCommands.ts';

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
    ...offerCommands(context),
    ...clientCommands(context),
    ...proposalCommands(context),
    ...overviewCommands(context),
  };
}
