// views/: what people see and use: trees, notices, pickers, the status bar, and the host's ends of the pages. Text for people is
// here (sentences/ for failures) and in webview/; elsewhere only a few names of places, and help with definitions in English.
// Commands begin in this file; what they do is joined in app/.
import * as vscode from 'vscode';
import { AppError, isAppError } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { type CommandId, type CommandName, type RowCommandId, rowCommands } from '../contract/commands.ts';
import { type ErrorReporter, errorSentence } from './errorReporter.ts';
import { isFromCaller } from './runner/toolCallArgument.ts';

/**
 * What each command does. The argument is a tree row, another extension's input or nothing, so each handler checks it. Some menus
 * add everything that is selected as further arguments.
 */
export type CommandHandlers = Readonly<Record<CommandName, (argument?: unknown, ...others: unknown[]) => unknown>>;

/** Registers every command of the contract. A failure is reported to the person, or thrown where the command answers a caller. */
export function registerCommands(handlers: CommandHandlers, reporter: ErrorReporter): Disposable {
  const registrations = new DisposableStore();
  const register = (id: CommandId | RowCommandId, name: CommandName): void => {
    registrations.add(
      vscode.commands.registerCommand(id, async (argument?: unknown, ...others: unknown[]) => {
        try {
          return await handlers[name](argument, ...others);
        } catch (error) {
          if (name === 'runTool' && isFromCaller(argument)) {
            throw inTheirLanguage(error);
          }
          reporter.report(error);
          return undefined;
        }
      }),
    );
  };
  (Object.keys(handlers) as CommandName[]).forEach((name) => register(commandId(name), name));
  rowCommands.forEach((name) => register(`duplex.${name}.here`, name));
  return registrations;
}

/** Puts the message of a failure into the person's language: VS Code shows it to whoever pressed a key. Programs compare the code. */
function inTheirLanguage(error: unknown): unknown {
  return isAppError(error)
    ? new AppError(error.code, errorSentence(error), { args: error.args, detail: error.detail, cause: error })
    : error;
}

export function commandId(name: CommandName): CommandId {
  return `duplex.${name}`;
}
