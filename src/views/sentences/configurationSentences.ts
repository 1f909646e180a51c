import { isJsonObject } from '../../base/json.ts';
import { sentencesOf, type ErrorArguments } from '../../base/errors.ts';
import { expectedValue } from '../../contract/settings/schemaIssue.ts';
import type { problemTable } from '../../languageServer/problem.ts';
import { expectedValues } from './expectedValues.ts';
import type { Sentences, Translate } from './translate.ts';

/** The sentence of a diagnostic, from what the language server sends with it; nothing when that is not of its making. */
export function configurationSentence(data: unknown, t: Translate): string | undefined {
  const { code, args } = isJsonObject(data) ? data : {};
  const table = configurationSentences(t);
  return typeof code === 'string' && Object.hasOwn(table, code) && isJsonObject(args)
    ? sentencesOf(table)(code as keyof typeof table, args as ErrorArguments)
    : undefined;
}

/** What is wrong in a configuration file. */
export function configurationSentences(t: Translate): Sentences<typeof problemTable> {
  return {
    badName: ({ longest }) => t('A server’s name must be 1 to {0} visible characters.', longest),
    badUrl: ({ url }) => t('“{0}” is not a complete URL.', url),
    badValue: ({ key, reason }) => t('“{0}” is not valid: {1}.', key, reason),
    commandAndUrl: ({ name }) =>
      t('“{0}” has both a command and a url. Keep one: the command for a local server, the url for a remote one.', name),
    duplicateName: ({ name }) => t('The name “{0}” is already used above. Only the last definition of a name counts.', name),
    emptyValue: ({ key }) => t('“{0}” is not valid: it is empty.', key),
    foreignKey: ({ key }) => t('“{0}” is not a key that Duplex knows. Duplex leaves it out.', key),
    inputNotHere: ({ key }) => t('“{0}” may not hold an input.', key),
    misplacedKey: ({ key, kind }) => t('“{0}” has no meaning for a server with a {1}.', key, kind),
    mixedScripts: ({ name }) => t('The name “{0}” mixes letters of several alphabets, which may look like another name.', name),
    nameWithPlace: ({ name }) => t('The name “{0}” cannot be used: what follows an @ says where a server is configured.', name),
    neitherCommandNorUrl: ({ name }) => t('“{0}” needs a command (for a local server) or a url (for a remote one).', name),
    plainHttp: ({ host, secure }) =>
      t('What is sent to {0} is not encrypted. Use {1} unless you trust every network on the way.', host, secure),
    reservedName: ({ name }) => t('The name “{0}” is reserved for the editor’s own server. Choose another one.', name),
    secretInPlainText: ({ key, variable }) =>
      t('“{0}” looks like a secret in plain text. Refer to a variable instead, such as {1}.', key, variable),
    tooLarge: ({ key, most }) => t('“{0}” is not valid: the most is {1}.', key, most),
    tooSmall: ({ key, least }) => t('“{0}” is not valid: the least is {1}.', key, least),
    unknownInput: ({ input }) => t('The input “{0}” is not defined in the same file.', input),
    unknownKey: ({ key }) => t('“{0}” is not a known key.', key),
    unknownVariable: ({ variable, known }) => t('“{0}” is not a variable that Duplex knows. It knows {1}.', variable, known),
    wrongScheme: ({ scheme, secure, plain }) => t('The URL starts with {0} but must start with {1} or {2}.', scheme, secure, plain),
    wrongType: ({ key, expected }) => t('“{0}” must be {1}.', key, expectedValue(expected, expectedValues(t))),
    wrongValue: ({ key, values }) => t('“{0}” must be one of {1}.', key, values),
  };
}
