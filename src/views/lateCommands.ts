import { commands, type CommandName } from '../contract/commands.ts';
import type { CommandHandlers } from './commandTable.ts';

/** Commands that are there at once; what they do is loaded when the first of them is used, and again when that failed. */
export function lateCommands(load: () => Promise<CommandHandlers>): CommandHandlers {
  let loaded: Promise<CommandHandlers> | undefined;
  const handlers = async (): Promise<CommandHandlers> => {
    loaded ??= load();
    try {
      return await loaded;
    } catch (error) {
      loaded = undefined;
      throw error;
    }
  };
  const late = (name: CommandName): CommandHandlers[CommandName] => {
    return async (argument, ...others) => (await handlers())[name](argument, ...others);
  };
  return Object.fromEntries(commands.map((name) => [name, late(name)])) as CommandHandlers;
}
