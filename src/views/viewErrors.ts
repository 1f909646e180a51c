import { errorMaker, type ErrorTable } from '../base/errors.ts';

/**
 * How what a person or a caller wants of the views fails, in English; sentences/ has the same in the person's language. The
 * codes are stable: callers of `duplex.runTool` (key bindings, tasks, other extensions) get them.
 */
export const viewErrorTable = {
  'views.linkRefused': () => 'This link cannot be opened: only web and mail addresses can.',
  'views.noEditor': () => 'There is no text editor to insert into. Open a file first.',
  'runTool.badArgument': () => 'Run Tool takes {server, tool, arguments}: two names and an object.',
  'runTool.ambiguousServer': ({ server, labels }: { server: string; labels: string }) =>
    `There are several servers “${server}”; say which: ${labels}.`,
  'runTool.startNotAllowed': ({ server }: { server: string }) => `The server “${server}” is not running. It was not allowed to start.`,
  'runTool.startFailed': ({ server, reason }: { server: string; reason: string }) => `The server “${server}” is not running. ${reason}`,
  'runTool.denied': ({ tool, server }: { tool: string; server: string }) => `Running “${tool}” of “${server}” was not allowed.`,
  'runTool.deniedBefore': ({ tool, server }: { tool: string; server: string }) =>
    `Running “${tool}” of “${server}” is not allowed: a remembered answer says so.`,
  'runTool.cancelled': ({ tool, server }: { tool: string; server: string }) => `Running “${tool}” of “${server}” was cancelled.`,
} as const satisfies ErrorTable;

export const viewError = errorMaker(viewErrorTable);
