import { errorMaker, type ErrorTable } from '../../base/errors.ts';

/**
 * The sentences that say why a tool of the editor failed. Clients and the models behind them read these, people do not, so they
 * are in English only.
 */
const editorErrorTable = {
  'editor.ambiguousTask': ({ name, tasks }: { name: string; tasks: string }) => `Several tasks are called "${name}": ${tasks}.`,
  'editor.badCommand': () => 'The command contains control characters. Nothing was run.',
  'editor.behindDisk': ({ path }: { path: string }) =>
    `"${path}" changed on the disk, and VS Code still has its old text. Try again in a moment.`,
  'editor.binary': ({ path }: { path: string }) => `"${path}" is not text. Of other files only images (png, jpg, gif, webp) are shown.`,
  'editor.changedBeforeSaving': ({ path }: { path: string }) =>
    `"${path}" changed while the question was open. Nothing was saved: call save_file again to save it as it is now.`,
  'editor.changedDuringReview': ({ path }: { path: string }) => fileChanged(path, 'while the person looked at the proposal'),
  'editor.changedSinceVersion': ({ path, expected, version }: { path: string; expected: string; version: string }) =>
    fileChanged(path, `since version ${expected}: it has version ${version} now`),
  'editor.changedWhileApplying': ({ path }: { path: string }) => fileChanged(path, 'while the change was made'),
  'editor.codeActionChanged': ({ title }: { title: string }) => `The code action "${title}" does something else by now. Nothing was done.`,
  'editor.codeActionDisabled': ({ title, reason }: { title: string; reason: string }) =>
    `The code action "${title}" cannot be applied here: ${reason}`,
  'editor.codeActionEmpty': ({ title }: { title: string }) => `The code action "${title}" does nothing.`,
  'editor.editsOverlap': ({ edit, other }: { edit: string; other: string }) =>
    `These edits overlap: ${edit} and ${other}. Nothing was changed: make one edit of them.`,
  'editor.editsTooSlow': () =>
    'It takes too long to find the places of these edits. Nothing was changed: give fewer of them, or ranges instead of oldText.',
  'editor.folderNotWhole': ({ path, limit }: { path: string; limit: number }) =>
    `"${path}" cannot be moved as a whole. A folder moves only if all that is in it are plain files and folders that may be moved for you, ` +
    `no links, and at most ${limit} of them. Nothing was done: move its files by their own paths.`,
  'editor.folderOnlyMoves': ({ path }: { path: string }) =>
    `"${path}" is a folder, which can only be moved: leave newText, edits and expectedVersion out. Nothing was done.`,
  'editor.folderReadOnly': ({ path }: { path: string }) => `"${path}" cannot be created: its folder is read-only.`,
  'editor.imageTooLarge': ({ path, limit }: { path: string; limit: number }) =>
    `"${path}" is an image of more than ${limit} MiB, which is too large to be sent.`,
  'editor.isFile': ({ path }: { path: string }) => `"${path}" is a file; read_file shows it.`,
  'editor.isFolder': ({ path }: { path: string }) => `"${path}" is a folder; list_directory shows what is in it.`,
  'editor.exists': ({ path }: { path: string }) => `"${path}" exists already; move to a path that does not.`,
  'editor.insideMovedFolder': ({ path, folder }: { path: string; folder: string }) =>
    `"${path}" is inside "${folder}", or where that moves to. Nothing was done: move the folder alone, then propose changes of what is in it.`,
  'editor.intoItself': ({ path, moveTo }: { path: string; moveTo: string }) =>
    `"${moveTo}" is inside "${path}": a folder cannot be moved into itself.`,
  'editor.inFile': ({ path, problem }: { path: string; problem: string }) => `"${path}": ${problem}`,
  'editor.namedTwice': ({ path }: { path: string }) => `"${path}" is named twice; give all edits of a file together. Nothing was done.`,
  'editor.newTextTooLarge': ({ limit }: { limit: number }) =>
    `The new text would have more than ${limit} Mi characters. Nothing was changed.`,
  'editor.noBackup': ({ path }: { path: string }) =>
    `"${path}" cannot be deleted together with other files: it cannot be read, or is too large, to be put back if one of them fails. Nothing was done: propose its deletion alone.`,
  'editor.noCodeAction': ({ title, path }: { title: string; path: string }) =>
    `There is no code action "${title}" for these lines of "${path}"; list_code_actions shows what there is.`,
  'editor.noCell': ({ path, cell, count }: { path: string; cell: number; count: number }) =>
    `"${path}" has ${count} cells, counted from 0; there is no cell ${cell}.`,
  'editor.noPreview': () => 'This change is of a kind that cannot be shown to the person beforehand.',
  'editor.notName': ({ name, language }: { name: string; language: string }) =>
    `${JSON.stringify(name)} is not a name in ${language}. Nothing was changed: give one identifier.`,
  'editor.noRename': ({ path, line, character }: { path: string; line: number; character: number }) =>
    `There is nothing at ${line}:${character} of "${path}" that a language service could rename.`,
  'editor.noShellIntegration': () =>
    'The command was not run: shell integration did not start in its terminal, and without it VS Code cannot tell how a command ends. ' +
    'The person can turn on terminal.integrated.shellIntegration.enabled, or use bash, zsh, fish or PowerShell.',
  'editor.noSuchLine': ({ path, line, lineCount }: { path: string; line: number; lineCount: number }) =>
    `"${path}" has ${lineCount} lines; there is no line ${line}.`,
  'editor.noSuchCharacter': ({ path, line, character, length }: { path: string; line: number; character: number; length: number }) =>
    `Line ${line} of "${path}" has ${length} characters; there is no character ${character}.`,
  'editor.noTask': ({ name }: { name: string }) => `There is no task "${name}"; list_tasks shows what there is.`,
  'editor.notApplied': () => 'VS Code did not apply the change: the disk may be full or read-only, or a file in the way.',
  'editor.notInEncoding': ({ path, encoding, code, line }: { path: string; encoding: string; code: string; line: number }) =>
    `"${path}" is saved as ${encoding}, which has no character ${code} (line ${line} of the new text). Nothing was changed: ` +
    'use other characters, or ask the person for "Save with Encoding…" in VS Code.',
  'editor.notNotebook': ({ path }: { path: string }) => `"${path}" is no notebook that VS Code can open: leave cell out.`,
  'editor.notSaved': ({ path }: { path: string }) =>
    `VS Code could not save "${path}"; it tells the person why. The disk may be full, or the file read-only.`,
  'editor.notTakenBack': ({ reason, paths }: { reason: string; paths: string }) =>
    `${reason} What had been done by then could not be taken back in "${paths}": look at these files before you go on.`,
  'editor.notText': ({ path, reason }: { path: string; reason: string }) => `"${path}" cannot be opened as text: ${reason}`,
  'editor.notebook': ({ path }: { path: string }) => `"${path}" is a notebook; its cells cannot be changed as text.`,
  'editor.notebookCells': ({ path }: { path: string }) =>
    `"${path}" is a notebook: call propose_edit with cell, the index of the cell to change, from 0.`,
  'editor.oldTextEmpty': ({ edit }: { edit: string }) =>
    `The oldText of ${edit} is empty. To insert, give the text beside the place as oldText and again in newText, or an empty range; newText without edits replaces everything.`,
  'editor.oldTextMissing': ({ edit, instead }: { edit: string; instead: string }) =>
    `The oldText of ${edit} does not occur in the text. ${instead} Nothing was changed.`,
  'editor.oldTextRedacted': ({ edit }: { edit: string }) =>
    `The oldText of ${edit} contains [redacted], which stands for text that is withheld from you, so it cannot be found. Give only what stands before or behind it.`,
  'editor.oldTextSeveral': ({ edit, count, lines }: { edit: string; count: number; lines: string }) =>
    `The oldText of ${edit} occurs ${count} times, at lines ${lines}. Nothing was changed: add text around it so that it occurs once, or set replaceAll.`,
  'editor.oldTextTooOften': ({ edit, count, limit }: { edit: string; count: number; limit: number }) =>
    `The oldText of ${edit} occurs ${count} times; at most ${limit} can be replaced in one call. Nothing was changed.`,
  'editor.onlyRedacted': () =>
    'The new text could differ from the old one only in what is withheld from you ([redacted]). Nothing was changed: whether it does is not told.',
  'editor.rangeBehindLine': ({ range, line, length }: { range: string; line: number; length: number }) =>
    badRange(range, `points behind the end of line ${line}, which has ${length} characters`),
  'editor.rangeBehindText': ({ range, lineCount }: { range: string; lineCount: number }) =>
    badRange(range, `points behind the last line, ${lineCount}`),
  'editor.rangeReversed': ({ range }: { range: string }) => badRange(range, 'ends before it starts'),
  'editor.rangeRedacted': ({ edit }: { edit: string }) =>
    `In ${edit} there is text that is withheld from you ([redacted]). Nothing was changed: leave it out, or propose the whole text as newText.`,
  'editor.readWithLoss': ({ path, encoding }: { path: string; encoding: string }) =>
    `"${path}" is not ${encoding}, as which VS Code read it: some characters could not be read (U+FFFD) and would be lost on disk. ` +
    'Nothing was changed: ask the person for "Reopen with Encoding…" in VS Code or to set files.encoding, then read it again.',
  'editor.otherFileSystem': ({ path }: { path: string }) => `"${path}" is in another file system than the file; move within one.`,
  'editor.readOnly': ({ path }: { path: string }) => `"${path}" is read-only.`,
  'editor.renameRefused': ({ reason }: { reason: string }) => `The language service refused the rename: ${reason}`,
  'editor.reservedName': ({ name, language }: { name: string; language: string }) =>
    `"${name}" is a reserved word of ${language}, which only a member could have as its name. Nothing was changed: choose another name.`,
  'editor.saveConflict': ({ path }: { path: string }) =>
    `"${path}" was not saved: its file changed on disk since VS Code read it, and saving would write over that. read_file shows the unsaved text. ` +
    'Ask the person to compare the two in VS Code and to save or revert the file; without save, edits of it can still be proposed.',
  'editor.takenBack': ({ reason }: { reason: string }) => `${reason} Nothing was changed: what had been done by then was taken back.`,
  'editor.taskChanged': ({ name }: { name: string }) => `The task "${name}" is defined differently by now. Nothing was run.`,
  'editor.taskFailed': ({ name, reason }: { name: string; reason: string }) => `The task "${name}" could not be started: ${reason}`,
  'editor.terminalBusy': () =>
    'A command still runs in your terminal, and no other one is started there meanwhile. Nothing was run: answer it with input, ' +
    'stop it with the input "\\u0003" (Ctrl+C), or wait until it has ended; get_terminal_output shows how it stands.',
  'editor.terminalChanged': () => 'The terminal is another one than when the person was asked. Nothing was run: call again to ask anew.',
  'editor.tooFewLines': ({ path, lineCount }: { path: string; lineCount: number }) => `"${path}" has only ${lineCount} lines.`,
  'editor.tooLarge': ({ path, limit }: { path: string; limit: number }) =>
    `"${path}" is larger than ${limit} MiB and is not read; a command such as head or grep (run_terminal_command) can look into it.`,
  'editor.tooManyMessages': () => 'Too many messages: the person gets at most one every 5 seconds. This one was not shown.',
  'editor.tooSlow': ({ path }: { path: string }) => `"${path}" takes too long to open.`,
  'editor.untitled': ({ path }: { path: string }) => `"${path}" has no file yet; only the person can choose where to save it.`,
  'editor.withheldText': () =>
    'The new text contains [redacted], which stands for text that was withheld from you. Use edits that leave those places alone.',
  'editor.workspaceFolder': ({ path }: { path: string }) =>
    `"${path}" is a folder of the workspace, or holds one: only the person can move it.`,
  'git.failed': ({ folder }: { folder: string }) => `Git could not look at "${folder}".`,
  'git.missing': () => 'Git is not installed, or VS Code cannot find it.',
  'git.untrusted': () => 'Git is not used in a workspace that is not trusted.',
  'language.failed': ({ reason }: { reason: string }) => `The language service failed: ${reason}`,
  'language.tooSlow': () => 'The language service did not answer in time. Try again in a moment.',
  'search.badGlob': ({ pattern }: { pattern: string }) => `"${pattern}" is not a glob pattern.`,
  'search.badPattern': ({ query }: { query: string }) => `"${query}" is not a regular expression that can be searched for.`,
  'search.failed': () => 'The files of the workspace could not be listed.',
  'search.tooSlow': () => 'This pattern takes too long. Use a simpler one.',
  'tasks.tooSlow': () => 'VS Code is still collecting the tasks of the workspace. Try again in a moment.',
  'tests.unsafeFilter': ({ filter }: { filter: string }) =>
    `The filter ${JSON.stringify(filter)} holds characters that the Windows shell would interpret.`,
} as const satisfies ErrorTable;

export const editorError = errorMaker(editorErrorTable);

function fileChanged(path: string, when: string): string {
  return `"${path}" changed ${when}. Nothing was applied: read it again and propose the change anew.`;
}

function badRange(range: string, problem: string): string {
  return `The range ${range} ${problem}. Nothing was changed.`;
}
