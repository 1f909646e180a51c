import type { hostErrorTable } from '../../host/shared/hostErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** Servers and their tools: what does not start, and what cannot be asked. */
export function hostSentences(t: Translate): Sentences<typeof hostErrorTable> {
  return {
    'host.notTrusted': () => t('No server starts before you trust this workspace.'),
    'host.startDenied': () =>
      t('A stored answer (“Always deny”) refuses to start this server. Take it back with “Duplex: Manage Permissions”.'),
    'host.shuttingDown': () => t('Duplex is shutting down; no server is started any more.'),
    'host.spawnFailed': ({ code }) => t("The server's program could not be started ({0}).", code),
    'host.secretsOverPlainHttp': ({ origin }) =>
      t('The configured headers are not sent to {0}: everybody on the way could read them. Use https.', origin),
    'host.negotiationFailed': ({ reason }) => t('No revision of the protocol could be agreed on: {0}', reason),
    'host.unknownServer': ({ server }) => t('There is no server “{0}”.', server),
    'host.notRunning': ({ server }) =>
      server === undefined ? t('The server is not running.') : t('The server “{0}” is not running.', server),
    'host.notOffered': ({ capability }) => t('The server does not offer {0}.', capability),
    'host.unknownTool': ({ server, tool }) => t('The server “{0}” has no tool “{1}”.', server, tool),
    'host.toolChanged': ({ tool }) => t('The tool “{0}” changed while permission was asked for.', tool),
    'host.badArguments': () => t('The changed arguments are not a JSON object; the tool was not called.'),
    'host.taskTooLong': () => t('The task did not end within an hour and was cancelled.'),
    'host.taskCancelled': () => t('The server cancelled the task.'),
    'host.taskFailed': ({ reason }) => t('The task failed: {0}', reason),
    'host.taskWithoutResult': () => t('The task is over, but the server gave no result.'),
    'host.unexpected': ({ reason }) => reason,
    'host.inexactArguments': () =>
      t('The changed arguments repeat a name or have a number that would be rounded; the tool was not called.'),
  };
}
