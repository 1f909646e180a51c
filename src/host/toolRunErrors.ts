import { errorMaker, type ErrorTable } from '../base/errors.ts';

type ToolRun = { readonly server: string; readonly tool: string };

/** Why the call of a tool has no result. */
export const toolRunErrorTable = {
  'runTool.denied': ({ server, tool }: ToolRun) => `Running “${tool}” of “${server}” was not allowed.`,
  'runTool.deniedBefore': ({ server, tool }: ToolRun) =>
    `Running “${tool}” of “${server}” is refused by a stored answer (“Always deny”). Take it back with “Duplex: Manage Permissions”.`,
  'runTool.cancelled': ({ server, tool }: ToolRun) => `Running “${tool}” of “${server}” was cancelled.`,
} as const satisfies ErrorTable;

export const toolRunError = errorMaker(toolRunErrorTable);

/** Why a server cannot be called by its name. */
export const calledServerErrorTable = {
  'runTool.unknownServer': ({ server }: { server: string }) => `There is no server “${server}”.`,
  'runTool.severalServers': ({ server, labels }: { server: string; labels: string }) =>
    `There are several servers “${server}”; say which: ${labels}.`,
  'runTool.notRunning': ({ server }: { server: string }) => `The server “${server}” is not running.`,
  'runTool.startNotAllowed': ({ server }: { server: string }) => `The server “${server}” is not running. It was not allowed to start.`,
  'runTool.startFailed': ({ server, reason }: { server: string; reason: string }) => `The server “${server}” is not running. ${reason}`,
} as const satisfies ErrorTable;

export const calledServerError = errorMaker(calledServerErrorTable);
