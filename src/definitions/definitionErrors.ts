import { errorMaker, type SentenceTable } from '../base/errors.ts';

/** Why a definition cannot be run or connected. Paths and urls are shown as they are written, without any secret. */
export const definitionErrorTable = {
  'definitions.badHeaderName': '“{name}” cannot be the name of a header.',
  'definitions.badHeaderValue': 'The value of the header “{name}” holds a character that no header may hold.',
  'definitions.badScheme': '“{scheme}:” is not a scheme of an MCP server: use http, https, ws or wss.',
  'definitions.badUrl': '“{url}” is not a complete url.',
  'definitions.badVariableName': '“{name}” cannot be the name of an environment variable.',
  'definitions.certWithoutKey': 'A client certificate needs both “cert” and “key”.',
  'definitions.debugNoProgram': 'dev.debug needs a script, or -m and a module, among the arguments of Python.',
  'definitions.debugOtherProgram':
    'dev.debug is “{debug}”, but the command “{command}” is another program. Name {debug} itself as the command, or leave dev.debug out.',
  'definitions.debugUnknownOption':
    'dev.debug cannot tell whether the program begins after “{option}”. Write each option of Python, and -m and its module, as an argument of its own.',
  'definitions.envFileUnreadable': 'The envFile “{file}” cannot be read.',
  'definitions.envFileUnusable': '“{file}” is not a file of at most 1 MB.',
  'definitions.noFolder': '${workspaceFolder} is used, but no folder is open.',
  'definitions.noWorkingFolder': 'The working folder “{folder}” does not exist.',
  'definitions.otherMachine': '“{file}” is on another machine. A definition that is not in your own settings may not lead there.',
  'definitions.repeatedHeader': 'The header “{name}” is given twice.',
  'definitions.reservedHeader': 'The header “{name}” is set by Duplex itself.',
  'definitions.secretInHost': 'An input or a variable of the environment may not be part of the url’s scheme or host.',
  'definitions.secretInPlainText':
    '{field} must come from an input (${input:id}) or the environment (${env:NAME}), not stand in the settings.',
  'definitions.tlsFileUnusable': '“{file}” cannot be read as a PEM file of at most 1 MB.',
  'definitions.tlsPathNotAbsolute': 'tls.{part} must be the absolute path of a PEM file.',
  'definitions.typeDoesNotFit': 'The type “{type}” does not fit a url that begins with “{scheme}”.',
  'definitions.unknownFolder': '{variable} is used, but no folder of this workspace has that name.',
  'definitions.unknownVariable': '{variable} is not a known variable.',
  'definitions.userInfoInUrl': 'The url holds a user name or password. Use a header with an input instead.',
  'definitions.zeroByte': 'The definition holds a zero byte.',
} as const satisfies SentenceTable;

export const definitionError = errorMaker(definitionErrorTable);
