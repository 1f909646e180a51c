import { errorMaker, isAppError, messageOf, type AppError, type ErrorOptions, type SentenceTable } from '../../base/errors.ts';

// The ways in which servers fail. The codes are stable.

/** Errors about servers and their tools: what does not start, and what cannot be asked. */
export const hostErrorTable = {
  'host.notTrusted': 'No server starts before you trust this workspace.',
  'host.startDenied': 'A stored answer (“Always deny”) refuses to start this server. Take it back with “Duplex: Manage Permissions”.',
  'host.shuttingDown': 'Duplex is shutting down; no server is started any more.',
  'host.spawnFailed': "The server's program could not be started ({code}).",
  'host.noBox': 'The server is to run confined, and the programs for that are missing: {programs}.',
  'host.boxUnreliable': 'The server is to run confined, and a box that was tried on this machine cannot be relied on.',
  'host.notFetched': 'The packages that the server needs ({packages}) could not be fetched before its confined start.',
  'host.secretsOverPlainHttp': 'The configured headers are not sent to {origin}: everybody on the way could read them. Use https.',
  'host.negotiationFailed': 'No revision of the protocol could be agreed on: {reason}',

  'host.unknownServer': 'There is no server “{server}”.',
  'host.notRunning': { ifGiven: 'server', text: 'The server “{server}” is not running.', otherwise: 'The server is not running.' },
  'host.notOffered': 'The server does not offer {capability}.',
  'host.offerEnded': {
    ifGiven: 'server',
    text: 'The server “{server}” is not offered to clients any more.',
    otherwise: 'The server is not offered to clients any more.',
  },
  'host.offerChanged': 'What the server “{server}” offers changed while permission was asked for.',
  'host.addressTwice': 'Two servers have this address, “{one}” and “{other}”: it is read from neither.',
  'host.unknownTool': 'The server “{server}” has no tool “{tool}”.',
  'host.toolChanged': 'The tool “{tool}” changed while permission was asked for.',
  'host.appMissing': 'The server gave no page for {uri}.',
  'host.appType': 'The page of this app is not of the type {expected}.',
  'host.appTooLarge': 'The page of this app is larger than {megabytes} MB.',
  'host.badArguments': 'The changed arguments are not a JSON object; the tool was not called.',
  'host.inexactArguments': 'The changed arguments repeat a name or have a number that would be rounded; the tool was not called.',
  'host.taskTooLong': 'The task did not end within an hour and was cancelled.',
  'host.taskCancelled': 'The server cancelled the task.',
  'host.taskFailed': 'The task failed: {reason}',
  'host.taskWithoutResult': 'The task is over, but the server gave no result.',
  'host.unexpected': '{reason}',
} as const satisfies SentenceTable;

/** Errors about the connection to a server and what comes over it. */
export const connectionErrorTable = {
  // The server itself is gone, or cannot be reached.
  'host.serverEnded': {
    ifGiven: 'signal',
    text: "The server's process ended by itself (signal {signal}).",
    otherwise: "The server's process ended by itself (exit code {exitCode}).",
  },
  'host.supervisorEnded': 'The process that looks after the servers ended, and they with it.',
  'host.serverNotReading': 'The server does not read what it is sent.',
  'host.unhealthy': 'The server no longer answers.',
  'host.connectionClosed': 'The connection to the server was closed.',
  'host.closedByServer': {
    ifGiven: 'code',
    text: 'The server closed the connection (code {code}).',
    otherwise: 'The server closed the connection.',
  },
  'host.sessionExpired': 'The server has forgotten the session.',
  'host.unreachable': 'The server at {origin} cannot be reached: {reason}',
  'host.certificate': 'The connection to {origin} is not trusted: {reason}',

  // The server refuses.
  'host.unauthorized': {
    ifGiven: 'origin',
    text: 'The server at {origin} wants you to sign in.',
    otherwise: 'The server wants you to sign in.',
  },
  'host.forbidden': {
    ifGiven: 'origin',
    text: 'The server at {origin} denies access (HTTP 403).',
    otherwise: 'The server denies access (HTTP 403).',
  },
  'host.unavailable': {
    ifGiven: 'origin',
    text: 'The server at {origin} cannot answer now (HTTP {status}).',
    otherwise: 'The server cannot answer now (HTTP {status}).',
  },
  'host.httpStatus': {
    ifGiven: 'origin',
    text: 'The server at {origin} answered with HTTP {status}.',
    otherwise: 'The server answered with HTTP {status}.',
  },
  'host.serverError': 'The server refused: {reason}',
  'host.appGone': 'The app that offers this tool is not shown any more.',

  // The server's answer does not come, or cannot be used.
  'host.timeout': 'The server did not answer within {seconds} s.',
  'host.silentTooLong':
    'The server sent nothing for {minutes} minutes. Over HTTP no request waits longer for that, whatever its time limit; a server that reports progress is waited for.',
  'host.answerLost': 'The connection broke before the answer came.',
  'host.invalidAnswer': "The server's answer does not follow the protocol: {reason}",
  'host.lineTooLong': 'The server sent a line of more than 16 MB and was stopped.',
  'host.messageTooLarge': 'The server sent a message of more than {megabytes} MB.',
  'host.messageTooDeep': 'The server sent a message that is nested too deeply.',
  'host.tooManyValues': 'The server sent a message with too many values or escaped characters.',
  'host.tooManyMessages': 'The server sent more than {limit} messages faster than they could be taken in.',
  'host.answerTooLarge': 'The answer has too many values or escaped characters to be taken in; ask for less, or for a part.',
  // `what` is the protocol's own word: tools, prompts, resources, templates.
  'host.listTooLarge': 'The list of {what} is larger than {limit} MiB.',
  'host.listTooLong': 'The server lists more than {limit} {what}.',
  'host.endlessList': "The server's list of {what} does not end.",
  'host.resourceTooLarge': 'The resource is larger than {limit} MB.',
  'host.skillTooLarge': 'The skill has more than {files} files, or more than {limit} kB in them.',
} as const satisfies SentenceTable;

const allErrors = { ...hostErrorTable, ...connectionErrorTable };

export type HostErrorCode = keyof typeof allErrors;

export const hostError = errorMaker(allErrors);

export function timeoutError(timeoutMs: number, options?: ErrorOptions): AppError<'host.timeout'> {
  return hostError('host.timeout', { seconds: Math.round(timeoutMs / 100) / 10 }, options);
}

/** An error that is not ours yet becomes `host.unexpected` and keeps its own words. */
export function toHostError(error: unknown): AppError {
  return isAppError(error) ? error : hostError('host.unexpected', { reason: messageOf(error) }, { cause: error });
}
