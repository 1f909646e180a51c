import { type AppError, errorMaker, type SentenceTable } from '../base/errors.ts';
import { expectedValue } from '../contract/settings/schemaIssue.ts';
import type { DefinitionProblem, DefinitionSource } from './serverDefinition.ts';

/** Problems that are found when definitions are read. They are reported beside the definitions that can be used. */
export const definitionProblemTable = {
  'definitions.fileNotOpened': '“{file}” cannot be read: It could not be opened.',
  'definitions.fileTooLarge': '“{file}” cannot be read: It is not a file of at most 1 MB.',
  'definitions.fileTooDeep': '“{file}” cannot be read: It is nested too deeply.',
  'definitions.fileNotAnObject': '“{file}” cannot be read: It must hold an object.',
  /** `mistake` is the parser's own name for it. */
  'definitions.fileMalformed': '“{file}” cannot be read: {mistake} in line {line}.',
  'definitions.serversNotAnObject': 'The servers must be an object of name and definition.',
  'definitions.notAnObject': 'The definition of “{name}” must be an object.',
  'definitions.reservedName': "The name “{name}” is reserved for the editor's own server.",
  'definitions.badName': "A server's name must be 1 to {longest} visible characters.",
  'definitions.nameWithPlace': 'The name “{name}” cannot be used: what follows an @ says where a server is configured.',
  'definitions.sameName': 'Several servers of the same place are called “{name}”: only the last one is used.',
  /** The name has its foreign letters written out. */
  'definitions.mixedScripts': 'The name “{name}” mixes letters of several alphabets, which may look like another name.',
  'definitions.commandOrUrl': '“{name}” needs either a command (a local server) or a url (a remote one).',
  'definitions.unknownField': '“{name}” has a field “{key}” that is not known and not used.',
  'definitions.wrongType': { text: '“{name}”: {field} must be {expected}.', words: { expected: expectedValue } },
  'definitions.wrongValue': '“{name}”: {field} must be one of {values}.',
  'definitions.emptyField': '“{name}”: {field} is empty.',
  'definitions.tooSmall': '“{name}”: {field} must be at least {least}.',
  'definitions.tooLarge': '“{name}”: {field} must be at most {most}.',
  /** `reason` is in the words of the schema. */
  'definitions.badField': '“{name}”: {field}: {reason}',
  'definitions.inputsNotAList': 'The inputs must be a list.',
  'definitions.inputNotAnObject': 'The input “{id}” is not used: It must be an object.',
  'definitions.badInput': 'The input “{id}” is not used: “{field}” is missing or not valid.',
  'definitions.inputType': 'The input “{id}” is not used: “type” must be one of {values}.',
  'definitions.repeatedInput': 'The input “{id}” is not used: There is another input with this id.',
  'definitions.passwordDefault': 'The default of the input “{id}” is not used: A password is filled in from user settings only.',
  'definitions.inputNotHere': '“{name}”: {field} may not hold an input.',
  'definitions.unsetVariable':
    '“{name}”: {field} uses ${env:{variable}}, but {variable} is not set where VS Code was started, so nothing stands in its place.',
  'definitions.unknownInput': '“{name}” uses the input “{input}”, which is not defined in the same place.',
} as const satisfies SentenceTable;

/** Makes a problem in the same way as an error; but it is reported, not thrown. */
export const definitionProblem = errorMaker(definitionProblemTable);

/** Reports a problem, and where it is inside the source for which this function was made. */
export type Report = (severity: DefinitionProblem['severity'], problem: AppError, place?: ProblemPlace) => void;

interface ProblemPlace {
  readonly server?: string;
  readonly path?: readonly (string | number)[];
}

export function reporterOf({ scope, folder, location }: DefinitionSource, problems: DefinitionProblem[]): Report {
  return (severity, { code, message, args }, { server, path = [] } = {}) => {
    problems.push({ severity, code, message, args, scope, folder, location, server, path });
  };
}
