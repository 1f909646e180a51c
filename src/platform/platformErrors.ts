// platform/: what several rooms need of Node and of this machine: files and locks, processes and their trees, PATH, paths, and the
// identity of this machine. It knows nothing of VS Code or MCP.
import { errorMaker, type SentenceTable } from '../base/errors.ts';

/** The failures with files and programs of this machine. The codes are older than this room, so they begin with the names of rooms that use it. */
export const platformErrorTable = {
  'definitions.batchArgument':
    'The argument “{argument}” cannot be given to the batch file “{file}”: cmd.exe, which runs it, would take % ! " & | < > ^ and line breaks for commands. Name the program that the batch file starts as the “command”, or give the value in “env”.',
  'definitions.batchPath':
    'The batch file “{file}” has a character in its path that cmd.exe, which runs it, would not take literally: % ! or ". Move or rename it, or name the program that it starts as the “command”.',
  'definitions.batchTooLong':
    'The batch file “{file}” would get more than the 8,000 characters that cmd.exe, which runs it, can take. Name the program that it starts as the “command”.',
  'definitions.commandNotFound':
    'The command “{command}” was not found in the {folders} folders of PATH. Install it, or write the full path of the program into “command”.',
  'definitions.fileNotFound': 'There is no program at “{command}”, or it may not be run.',
  'program.tooSlow': 'This takes too long.',
  'server.discovery.unsafeFolder': '{path} is a link, not a folder, or belongs to someone else.',
  'storage.locked': 'Another window keeps {file} locked.',
} as const satisfies SentenceTable;

export const platformError = errorMaker(platformErrorTable);
