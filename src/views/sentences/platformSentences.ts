import type { platformErrorTable } from '../../platform/platformErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** What goes wrong with files and programs of this machine. */
export function platformSentences(t: Translate): Sentences<typeof platformErrorTable> {
  return {
    'definitions.commandNotFound': ({ command, folders }) =>
      t(
        'The command “{0}” was not found in the {1} folders of PATH. Install it, or write the full path of the program into “command”.',
        command,
        folders,
      ),
    'definitions.fileNotFound': ({ command }) => t('There is no program at “{0}”, or it may not be run.', command),
    'program.tooSlow': () => t('This takes too long.'),
    'server.discovery.unsafeFolder': ({ path }) => t('{0} is a link, not a folder, or belongs to someone else.', path),
    'storage.locked': ({ file }) => t('Another window keeps {0} locked.', file),
  };
}
