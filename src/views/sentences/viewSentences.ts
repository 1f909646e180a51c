import type { viewErrorTable } from '../viewErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** How what a person or a caller wants of the views fails. */
export function viewSentences(t: Translate): Sentences<typeof viewErrorTable> {
  return {
    'views.linkRefused': () => t('This link cannot be opened: only web and mail addresses can.'),
    'views.noEditor': () => t('There is no text editor to insert into. Open a file first.'),
    'runTool.badArgument': () => t('Run Tool takes {server, tool, arguments}: two names and an object.'),
    'runTool.ambiguousServer': ({ server, labels }) => t('There are several servers “{0}”; say which: {1}.', server, labels),
    'runTool.startNotAllowed': ({ server }) => t('The server “{0}” is not running. It was not allowed to start.', server),
    'runTool.startFailed': ({ server, reason }) => t('The server “{0}” is not running. {1}', server, reason),
    'runTool.denied': ({ tool, server }) => t('Running “{0}” of “{1}” was not allowed.', tool, server),
    'runTool.deniedBefore': ({ tool, server }) => t('Running “{0}” of “{1}” is not allowed: a remembered answer says so.', tool, server),
    'runTool.cancelled': ({ tool, server }) => t('Running “{0}” of “{1}” was cancelled.', tool, server),
  };
}
