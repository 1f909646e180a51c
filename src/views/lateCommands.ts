import { Late } from '../base/late.ts';
import { commands, type CommandName } from '../contract/commands.ts';
import type { CommandHandlers } from './commandTable.ts';

/** Commands that are there at once; what they do is loaded when the first of them is used, and again when that failed. */
export function lateCommands(load: () => Promise<CommandHandlers>): CommandHandlers {
  const handlers = new Late(load);
  const late = (name: CommandName): CommandHandlers[CommandName] => {
    return async (argument, ...others) => (await handlers.get())[name](argument, ...others);
  };
  return Object.fromEntries(commands.map((name) => [name, late(name)])) as CommandHandlers;
}
