import { errorMaker, isAppError, messageOf, type AppError, type ErrorOptions, type ErrorTable } from '../../base/errors.ts';

// How servers fail, in English; views/ has the same in the person's language. The codes are stable. Where a sentence has two
// forms, one of its arguments is not always known.

/** Servers and their tools: what does not start, and what cannot be asked. */
export const hostErrorTable = {
  'host.notTrusted': () => 'No server starts before you trust this workspace.',
  'host.startDenied': () => 'A stored answer (“Always deny”) refuses to start this server. Take it back with “Duplex: Manage Permissions”.',
  'host.shuttingDown': () => 'Duplex is shutting down; no server is started any more.',
  'host.spawnFailed': ({ code }: { code: string }) => `The server's program could not be started (${code}).`,
  'host.secretsOverPlainHttp': ({ origin }: { origin: string }) =>
    `The configured headers are not sent to ${origin}: everybody on the way could read them. Use https.`,
  'host.negotiationFailed': ({ reason }: { reason: string }) => `No revision of the protocol could be agreed on: ${reason}`,

  'host.unknownServer': ({ server }: { server: string }) => `There is no server “${server}”.`,
  'host.notRunning': ({ server }: { server?: string }) =>
    server === undefined ? 'The server is not running.' : `The server “${server}” is not running.`,
  'host.notOffered': ({ capability }: { capability: string }) => `The server does not offer ${capability}.`,
  'host.unknownTool': ({ server, tool }: { server: string; tool: string }) => `The server “${server}” has no tool “${tool}”.`,
  'host.toolChanged': ({ tool }: { tool: string }) => `The tool “${tool}” changed while permission was asked for.`,
  'host.badArguments': () => 'The changed arguments are not a JSON object; the tool was not called.',
  'host.inexactArguments': () => 'The changed arguments repeat a name or have a number that would be rounded; the tool was not called.',
  'host.taskTooLong': () => 'The task did not end within an hour and was cancelled.',
  'host.taskCancelled': () => 'The server cancelled the task.',
  'host.taskFailed': ({ reason }: { reason: string }) => `The task failed: ${reason}`,
  'host.taskWithoutResult': () => 'The task is over, but the server gave no result.',
  'host.unexpected': ({ reason }: { reason: string }) => reason,
} as const satisfies ErrorTable;

/** The connection to a server, and what comes over it. */
export const connectionErrorTable = {
  // The server itself is gone, or cannot be reached.
  'host.serverEnded': ({ exitCode, signal }: { exitCode: string; signal?: string }) =>
    signal === undefined
      ? `The server's process ended by itself (exit code ${exitCode}).`
      : `The server's process ended by itself (signal ${signal}).`,
  'host.supervisorEnded': () => 'The process that looks after the servers ended, and they with it.',
  'host.serverNotReading': () => 'The server does not read what it is sent.',
  'host.unhealthy': () => 'The server no longer answers.',
  'host.connectionClosed': () => 'The connection to the server was closed.',
  'host.closedByServer': ({ code }: { code?: number }) =>
    code === undefined ? 'The server closed the connection.' : `The server closed the connection (code ${code}).`,
  'host.sessionExpired': () => 'The server has forgotten the session.',
  'host.unreachable': ({ origin, reason }: { origin: string; reason: string; code: string }) =>
    `The server at ${origin} cannot be reached: ${reason}`,
  'host.certificate': ({ origin, reason }: { origin: string; reason: string; code: string }) =>
    `The connection to ${origin} is not trusted: ${reason}`,

  // It refuses.
  'host.unauthorized': ({ origin }: { status: number; origin?: string; canSignIn?: boolean; scope?: string }) =>
    origin === undefined ? 'The server wants you to sign in.' : `The server at ${origin} wants you to sign in.`,
  'host.forbidden': ({ origin }: { status: number; origin?: string }) =>
    origin === undefined ? 'The server denies access (HTTP 403).' : `The server at ${origin} denies access (HTTP 403).`,
  'host.unavailable': ({ status, origin }: { status: number; origin?: string }) =>
    origin === undefined ? `The server cannot answer now (HTTP ${status}).` : `The server at ${origin} cannot answer now (HTTP ${status}).`,
  'host.httpStatus': ({ status, origin }: { status: number; origin?: string }) =>
    origin === undefined ? `The server answered with HTTP ${status}.` : `The server at ${origin} answered with HTTP ${status}.`,
  'host.serverError': ({ reason }: { reason: string; code: number }) => `The server refused: ${reason}`,

  // Its answer does not come, or cannot be used.
  'host.timeout': ({ seconds }: { seconds: number }) => `The server did not answer within ${seconds} s.`,
  'host.answerLost': () => 'The connection broke before the answer came.',
  'host.invalidAnswer': ({ reason }: { reason: string }) => `The server's answer does not follow the protocol: ${reason}`,
  'host.lineTooLong': () => 'The server sent a line of more than 16 MB and was stopped.',
  'host.messageTooLarge': ({ megabytes }: { megabytes: number }) => `The server sent a message of more than ${megabytes} MB.`,
  'host.messageTooDeep': () => 'The server sent a message that is nested too deeply.',
  'host.tooManyTools': ({ limit }: { limit: number }) => `The server lists more than ${limit} tools.`,
  // `what` is the protocol's own word: tools, prompts, resources, templates.
  'host.listTooLarge': ({ limit, what }: { limit: number; what: string }) => `The list of ${what} is larger than ${limit} MiB.`,
  'host.listTooLong': ({ limit, what }: { limit: number; what: string }) => `The server lists more than ${limit} ${what}.`,
  'host.endlessList': ({ what }: { what: string }) => `The server's list of ${what} does not end.`,
  'host.resourceTooLarge': ({ limit }: { limit: number }) => `The resource is larger than ${limit} MB.`,
} as const satisfies ErrorTable;

const allErrors = { ...hostErrorTable, ...connectionErrorTable };

export type HostErrorCode = keyof typeof allErrors;

export const hostError = errorMaker(allErrors);

export function timeoutError(timeoutMs: number, options?: ErrorOptions): AppError<'host.timeout'> {
  return hostError('host.timeout', { seconds: Math.round(timeoutMs / 100) / 10 }, options);
}

/** What is nobody's in particular keeps its own words. */
export function toHostError(error: unknown): AppError {
  return isAppError(error) ? error : hostError('host.unexpected', { reason: messageOf(error) }, { cause: error });
}
