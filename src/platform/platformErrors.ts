// platform/: what several rooms need of Node and of this machine: files and locks, processes and their trees, PATH, paths, and the
// identity of this machine. It knows nothing of VS Code or MCP.
import { errorMaker, type ErrorTable } from '../base/errors.ts';

/** What goes wrong with files and programs of this machine. The codes are older than this room and name who uses it. */
export const platformErrorTable = {
  'definitions.commandNotFound': ({ command, folders }: { command: string; folders: number }) =>
    `The command “${command}” was not found in the ${folders} folders of PATH. ` +
    'Install it, or write the full path of the program into “command”.',
  'definitions.fileNotFound': ({ command }: { command: string }) => `There is no program at “${command}”, or it may not be run.`,
  'program.tooSlow': () => 'This takes too long.',
  'server.discovery.unsafeFolder': ({ path }: { path: string }) => `${path} is a link, not a folder, or belongs to someone else.`,
  'storage.locked': ({ file }: { file: string }) => `Another window keeps ${file} locked.`,
} as const satisfies ErrorTable;

export const platformError = errorMaker(platformErrorTable);
