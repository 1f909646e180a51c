import type { connectionErrorTable } from '../../host/shared/hostErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** The connection to a server, and what comes over it. */
export function connectionSentences(t: Translate): Sentences<typeof connectionErrorTable> {
  return {
    'host.serverEnded': ({ exitCode, signal }) =>
      signal === undefined
        ? t("The server's process ended by itself (exit code {0}).", exitCode)
        : t("The server's process ended by itself (signal {0}).", signal),
    'host.supervisorEnded': () => t('The process that looks after the servers ended, and they with it.'),
    'host.serverNotReading': () => t('The server does not read what it is sent.'),
    'host.unhealthy': () => t('The server no longer answers.'),
    'host.connectionClosed': () => t('The connection to the server was closed.'),
    'host.closedByServer': ({ code }) =>
      code === undefined ? t('The server closed the connection.') : t('The server closed the connection (code {0}).', code),
    'host.sessionExpired': () => t('The server has forgotten the session.'),
    'host.unreachable': ({ origin, reason }) => t('The server at {0} cannot be reached: {1}', origin, reason),
    'host.certificate': ({ origin, reason }) => t('The connection to {0} is not trusted: {1}', origin, reason),
    'host.unauthorized': ({ origin }) =>
      origin === undefined ? t('The server wants you to sign in.') : t('The server at {0} wants you to sign in.', origin),
    'host.forbidden': ({ origin }) =>
      origin === undefined ? t('The server denies access (HTTP 403).') : t('The server at {0} denies access (HTTP 403).', origin),
    'host.unavailable': ({ status, origin }) =>
      origin === undefined
        ? t('The server cannot answer now (HTTP {0}).', status)
        : t('The server at {0} cannot answer now (HTTP {1}).', origin, status),
    'host.httpStatus': ({ status, origin }) =>
      origin === undefined
        ? t('The server answered with HTTP {0}.', status)
        : t('The server at {0} answered with HTTP {1}.', origin, status),
    'host.serverError': ({ reason }) => t('The server refused: {0}', reason),
    'host.timeout': ({ seconds }) => t('The server did not answer within {0} s.', seconds),
    'host.answerLost': () => t('The connection broke before the answer came.'),
    'host.invalidAnswer': ({ reason }) => t("The server's answer does not follow the protocol: {0}", reason),
    'host.lineTooLong': () => t('The server sent a line of more than 16 MB and was stopped.'),
    'host.messageTooLarge': ({ megabytes }) => t('The server sent a message of more than {0} MB.', megabytes),
    'host.messageTooDeep': () => t('The server sent a message that is nested too deeply.'),
    'host.tooManyTools': ({ limit }) => t('The server lists more than {0} tools.', limit),
    'host.listTooLarge': ({ limit, what }) => t('The list of {1} is larger than {0} MiB.', limit, what),
    'host.listTooLong': ({ limit, what }) => t('The server lists more than {0} {1}.', limit, what),
    'host.endlessList': ({ what }) => t("The server's list of {0} does not end.", what),
    'host.resourceTooLarge': ({ limit }) => t('The resource is larger than {0} MB.', limit),
  };
}
