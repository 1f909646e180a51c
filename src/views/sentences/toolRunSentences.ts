import type { calledServerErrorTable, toolRunErrorTable } from '../../host/tools/runTool.ts';
import type { Sentences, Translate } from './translate.ts';

/** Why the call of a tool has no result. */
export function toolRunSentences(t: Translate): Sentences<typeof toolRunErrorTable> {
  return {
    'runTool.denied': ({ server, tool }) => t('Running “{0}” of “{1}” was not allowed.', tool, server),
    'runTool.deniedBefore': ({ server, tool }) =>
      t(
        'Running “{0}” of “{1}” is refused by a stored answer (“Always deny”). Take it back with “Duplex: Manage Permissions”.',
        tool,
        server,
      ),
    'runTool.cancelled': ({ server, tool }) => t('Running “{0}” of “{1}” was cancelled.', tool, server),
  };
}

/** Why a server cannot be called by its name. */
export function calledServerSentences(t: Translate): Sentences<typeof calledServerErrorTable> {
  return {
    'runTool.unknownServer': ({ server }) => t('There is no server “{0}”.', server),
    'runTool.severalServers': ({ server, labels }) => t('There are several servers “{0}”; say which: {1}.', server, labels),
    'runTool.notRunning': ({ server }) => t('The server “{0}” is not running.', server),
    'runTool.startNotAllowed': ({ server }) => t('The server “{0}” is not running. It was not allowed to start.', server),
    'runTool.startFailed': ({ server, reason }) => t('The server “{0}” is not running. {1}', server, reason),
  };
}
