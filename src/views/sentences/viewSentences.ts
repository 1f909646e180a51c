import type { viewErrorTable } from './viewErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** What goes wrong in the views themselves. */
export function viewSentences(t: Translate): Sentences<typeof viewErrorTable> {
  return {
    'runTool.badArgument': () => t('Run Tool takes {0}: two names and an object.', '{server, tool, arguments}'),
    'runTool.clipboardEmpty': () => t('There is no text in the clipboard.'),
    'runTool.noActiveFile': () => t('No file is open in a text editor.'),
    'runTool.noSelection': () => t('Nothing is selected in a text editor.'),
    'runTool.notSavedSecret': () => t('This was not saved: the arguments seem to hold a secret, and what is saved stands in a file.'),
    'runTool.notSavedTooLarge': () => t('This was not saved: the arguments are too large.'),
    'runTool.valueTooLong': () => t('This is too long for an argument.'),
    'toolTask.badDefinition': () =>
      t(
        'A task of the type {0} needs {1} and {2}, two names, and may have {3}, an object. Correct it in tasks.json.',
        '“duplex”',
        '“server”',
        '“tool”',
        '“arguments”',
      ),
    'views.fileMissing': ({ path }) => t('There is no file “{0}” in this workspace.', path),
    'views.fileRefused': ({ path }) => t('“{0}” is not opened: only files of this workspace are.', path),
    'views.fileTooLarge': ({ path }) => t('“{0}” is too large to apply code to.', path),
    'views.linkChanged': () =>
      t('This link was not opened: VS Code would open another address than the one shown. Copy it into your browser instead.'),
    'views.linkRefused': () => t('This link cannot be opened: only web and mail addresses can.'),
    'views.noEditor': () => t('There is no text editor to insert into. Open a file first.'),
    'views.noPrompt': () => t('There is no prompt here. Run one first, with “Duplex: Run Prompt…”.'),
    'views.noResource': () => t('There is no resource in front. Open one first, with “Duplex: Open Resource…”.'),
    'views.notInserted': () => t('Nothing was inserted: the editor cannot be written to.'),
  };
}
