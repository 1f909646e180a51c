// platform/: what several rooms need of Node and of this machine: files and locks, processes and their trees, PATH, paths, and the
// identity of this machine. It knows nothing of VS Code or MCP.
import { errorMaker, type SentenceTable } from '../base/errors.ts';

/** The failures with files and programs of this machine. The codes are older than this room, so they begin with the names of rooms that use it. */
export const platformErrorTable = {
  'definitions.commandNotFound':
    'The command “{command}” was not found in the {folders} folders of PATH. Install it, or write the full path of the program into “command”.',
  'definitions.fileNotFound': 'There is no program at “{command}”, or it may not be run.',
  'program.tooSlow': 'This takes too long.',
  'server.discovery.unsafeFolder': '{path} is a link, not a folder, or belongs to someone else.',
  'storage.locked': 'Another window keeps {file} locked.',
} as const satisfies SentenceTable;

export const platformError = errorMaker(platformErrorTable);
