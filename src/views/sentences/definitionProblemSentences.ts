import { expectedValue } from '../../contract/settings/schemaIssue.ts';
import type { definitionProblemTable } from '../../definitions/definitionProblems.ts';
import { expectedValues } from './expectedValues.ts';
import type { Sentences, Translate } from './translate.ts';

/** What is found when definitions are read. */
export function definitionProblemSentences(t: Translate): Sentences<typeof definitionProblemTable> {
  return {
    'definitions.fileNotOpened': ({ file }) => t('“{0}” cannot be read: It could not be opened.', file),
    'definitions.fileTooLarge': ({ file }) => t('“{0}” cannot be read: It is not a file of at most 1 MB.', file),
    'definitions.fileTooDeep': ({ file }) => t('“{0}” cannot be read: It is nested too deeply.', file),
    'definitions.fileNotAnObject': ({ file }) => t('“{0}” cannot be read: It must hold an object.', file),
    'definitions.fileMalformed': ({ file, mistake, line }) => t('“{0}” cannot be read: {1} in line {2}.', file, mistake, line),
    'definitions.serversNotAnObject': () => t('The servers must be an object of name and definition.'),
    'definitions.notAnObject': ({ name }) => t('The definition of “{0}” must be an object.', name),
    'definitions.reservedName': ({ name }) => t("The name “{0}” is reserved for the editor's own server.", name),
    'definitions.badName': ({ longest }) => t("A server's name must be 1 to {0} visible characters.", longest),
    'definitions.nameWithPlace': ({ name }) =>
      t('The name “{0}” cannot be used: what follows an @ says where a server is configured.', name),
    'definitions.sameName': ({ name }) => t('Several servers of the same place are called “{0}”: only the last one is used.', name),
    'definitions.mixedScripts': ({ name }) =>
      t('The name “{0}” mixes letters of several alphabets, which may look like another name.', name),
    'definitions.commandOrUrl': ({ name }) => t('“{0}” needs either a command (a local server) or a url (a remote one).', name),
    'definitions.unknownField': ({ name, key }) => t('“{0}” has a field “{1}” that is not known and not used.', name, key),
    'definitions.wrongType': ({ name, field, expected }) =>
      t('“{0}”: {1} must be {2}.', name, field, expectedValue(expected, expectedValues(t))),
    'definitions.wrongValue': ({ name, field, values }) => t('“{0}”: {1} must be one of {2}.', name, field, values),
    'definitions.emptyField': ({ name, field }) => t('“{0}”: {1} is empty.', name, field),
    'definitions.tooSmall': ({ name, field, least }) => t('“{0}”: {1} must be at least {2}.', name, field, least),
    'definitions.tooLarge': ({ name, field, most }) => t('“{0}”: {1} must be at most {2}.', name, field, most),
    'definitions.badField': ({ name, field, reason }) => t('“{0}”: {1}: {2}', name, field, reason),
    'definitions.inputsNotAList': () => t('The inputs must be a list.'),
    'definitions.inputNotAnObject': ({ id }) => t('The input “{0}” is not used: It must be an object.', id),
    'definitions.badInput': ({ id, field }) => t('The input “{0}” is not used: “{1}” is missing or not valid.', id, field),
    'definitions.inputType': ({ id, values }) => t('The input “{0}” is not used: “type” must be one of {1}.', id, values),
    'definitions.repeatedInput': ({ id }) => t('The input “{0}” is not used: There is another input with this id.', id),
    'definitions.passwordDefault': ({ id }) =>
      t('The default of the input “{0}” is not used: A password is filled in from user settings only.', id),
    'definitions.inputNotHere': ({ name, field }) => t('“{0}”: {1} may not hold an input.', name, field),
    'definitions.unknownInput': ({ name, input }) => t('“{0}” uses the input “{1}”, which is not defined in the same place.', name, input),
  };
}
