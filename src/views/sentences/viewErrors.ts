import { errorMaker, type SentenceTable } from '../../base/errors.ts';

/** The failures of the views themselves. */
export const viewErrorTable = {
  'runTool.badArgument': 'Run Tool takes {server, tool, arguments}: two names and an object.',
  'runTool.clipboardEmpty': 'There is no text in the clipboard.',
  'runTool.noActiveFile': 'No file is open in a text editor.',
  'runTool.noSelection': 'Nothing is selected in a text editor.',
  'runTool.notSavedSecret': 'This was not saved: the arguments seem to hold a secret, and what is saved stands in a file.',
  'runTool.notSavedTooLarge': 'This was not saved: the arguments are too large.',
  'runTool.notWritten':
    'This holds in this window only, until it closes: it cannot be written into its file. See that the disk has room and that you may write there, then do it again. {reason}',
  'runTool.valueTooLong': 'This is too long for an argument.',
  'toolTask.badDefinition':
    'A task of the type “duplex” needs “server” and “tool”, two names, and may have “arguments”, an object. Correct it in tasks.json.',
  'views.fileMissing': 'There is no file “{path}” in this workspace.',
  'views.fileRefused': '“{path}” is not opened: only files of this workspace are.',
  'views.fileTooLarge': '“{path}” is too large to apply code to.',
  'views.linkChanged':
    'This link was not opened: VS Code would open another address than the one shown. Copy it into your browser instead.',
  'views.linkRefused': 'This link cannot be opened: only web and mail addresses can.',
  'views.noEditor': 'There is no text editor to insert into. Open a file first.',
  'views.noPrompt': 'There is no prompt here. Run one first, with “Duplex: Run Prompt…”.',
  'views.noResource': 'There is no resource in front. Open one first, with “Duplex: Open Resource…”.',
  'views.noSecret': 'There is no secret here that Duplex could keep. Use the quick fix where the warning stands.',
  'views.notInserted': 'Nothing was inserted: the editor cannot be written to.',
} as const satisfies SentenceTable;

export const viewError = errorMaker(viewErrorTable);
