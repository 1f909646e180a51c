import type { definitionErrorTable } from '../../definitions/definitionErrors.ts';
import type { Sentences, Translate } from './translate.ts';

/** Why a definition cannot be run or connected. */
export function definitionSentences(t: Translate): Sentences<typeof definitionErrorTable> {
  return {
    'definitions.badHeaderName': ({ name }) => t('“{0}” cannot be the name of a header.', name),
    'definitions.badHeaderValue': ({ name }) => t('The value of the header “{0}” holds a character that no header may hold.', name),
    'definitions.badScheme': ({ scheme }) => t('“{0}:” is not a scheme of an MCP server: use http, https, ws or wss.', scheme),
    'definitions.badUrl': ({ url }) => t('“{0}” is not a complete url.', url),
    'definitions.badVariableName': ({ name }) => t('“{0}” cannot be the name of an environment variable.', name),
    'definitions.batchFileNotYet': ({ file }) =>
      t('“{0}” is a batch file. Batch files cannot be started safely yet; name the program it starts instead.', file),
    'definitions.certWithoutKey': () => t('A client certificate needs both “cert” and “key”.'),
    'definitions.debugNoProgram': () => t('{0} needs a script, or -m and a module, among the arguments of Python.', 'dev.debug'),
    'definitions.debugOtherProgram': ({ debug, command }) =>
      t(
        '{0} is “{1}”, but the command “{2}” is another program. Name {1} itself as the command, or leave {0} out.',
        'dev.debug',
        debug,
        command,
      ),
    'definitions.debugUnknownOption': ({ option }) =>
      t(
        '{0} cannot tell whether the program begins after “{1}”. Write each option of Python, and -m and its module, as an argument of its own.',
        'dev.debug',
        option,
      ),
    'definitions.envFileUnreadable': ({ file }) => t('The envFile “{0}” cannot be read.', file),
    'definitions.envFileUnusable': ({ file }) => t('“{0}” is not a file of at most 1 MB.', file),
    'definitions.noFolder': () => t('{0} is used, but no folder is open.', '${workspaceFolder}'),
    'definitions.noWorkingFolder': ({ folder }) => t('The working folder “{0}” does not exist.', folder),
    'definitions.otherMachine': ({ file }) =>
      t('“{0}” is on another machine. A definition that is not in your own settings may not lead there.', file),
    'definitions.repeatedHeader': ({ name }) => t('The header “{0}” is given twice.', name),
    'definitions.reservedHeader': ({ name }) => t('The header “{0}” is set by Duplex itself.', name),
    'definitions.secretInHost': () => t('An input or a variable of the environment may not be part of the url’s scheme or host.'),
    'definitions.secretInPlainText': ({ field }) =>
      t('{0} must come from an input ({1}) or the environment ({2}), not stand in the settings.', field, '${input:id}', '${env:NAME}'),
    'definitions.tlsFileUnusable': ({ file }) => t('“{0}” cannot be read as a PEM file of at most 1 MB.', file),
    'definitions.tlsPathNotAbsolute': ({ part }) => t('{0} must be the absolute path of a PEM file.', `tls.${part}`),
    'definitions.typeDoesNotFit': ({ type, scheme }) => t('The type “{0}” does not fit a url that begins with “{1}”.', type, scheme),
    'definitions.unknownFolder': ({ folder }) =>
      t('{0} is used, but no folder of this workspace has that name.', `\${workspaceFolder:${folder}}`),
    'definitions.unknownVariable': ({ variable }) => t('{0} is not a known variable.', `\${${variable}}`),
    'definitions.userInfoInUrl': () => t('The url holds a user name or password. Use a header with an input instead.'),
    'definitions.zeroByte': () => t('The definition holds a zero byte.'),
  };
}
