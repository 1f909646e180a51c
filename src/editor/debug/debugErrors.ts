import { errorMaker, type ErrorTable } from '../../base/errors.ts';

/** The sentences that say why the debugger did not do something. Clients and the models behind them read these, people do not. */
const debugErrorTable = {
  'debug.ambiguousConfiguration': ({ name, names }: { name: string; names: string }) =>
    `Several debug configurations are called "${name}": ${names}. Nothing was started.`,
  'debug.changed': ({ name }: { name: string }) => `"${name}" is defined differently by now. Nothing was started.`,
  'debug.evaluationTooSlow': ({ timeoutMs }: { timeoutMs: number }) =>
    `The debugger did not answer within ${timeoutMs} ms. The expression may still be evaluated.`,
  'debug.notBegun': ({ id }: { id: string }) =>
    `"${id}" has not begun to run yet, so it could not be paused. Repeat the call, or stop it with the action stop.`,
  'debug.noConfiguration': ({ name, names }: { name: string; names: string }) =>
    names === ''
      ? `There is no debug configuration "${name}": the workspace has none (.vscode/launch.json).`
      : `There is no debug configuration "${name}". There are: ${names}.`,
  'debug.noFile': () => 'The program stands in no file of this machine, so toLine means nothing here. Nothing was done.',
  'debug.noFrame': ({ frame, count }: { frame: number; count: number }) =>
    `There are ${count} frames, counted from 0; there is no frame ${frame}.`,
  'debug.noSession': ({ id }: { id: string }) => `There is no debug session "${id}"; list_debug shows what there is.`,
  'debug.noSessions': () => 'Nothing is being debugged: start_debugging starts something.',
  'debug.notDebuggable': ({ program }: { program: string }) =>
    `Tests that are run by "${program}" cannot be debugged without a configuration: name one of launch.json (list_debug).`,
  'debug.notEvaluated': ({ reason }: { reason: string }) => `The debugger could not evaluate this: ${reason}`,
  'debug.notStopped': ({ id }: { id: string }) => `"${id}" runs. debug_step with the action pause stops it where it is.`,
  'debug.notYours': ({ id }: { id: string }) => `"${id}" is a session of the person's, who has not shared it.`,
  'debug.noType': ({ type }: { type: string }) => `No installed extension has a debugger of the type "${type}". Nothing was started.`,
  'debug.tooManyBreakpoints': ({ limit }: { limit: number }) => `A client may have ${limit} breakpoints. None was set.`,
  'debug.tooManySessions': ({ limit }: { limit: number }) =>
    `${limit} of your debug sessions run already. Nothing was started: debug_step with the action stop ends one.`,
} as const satisfies ErrorTable;

export const debugError = errorMaker(debugErrorTable);
