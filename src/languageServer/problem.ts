import { sentencesOf, type ArgumentsOf, type ErrorArguments, type SentenceTable } from '../base/errors.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { expectedValue } from '../contract/settings/schemaIssue.ts';

/** A `hint` is no mistake: the editor marks it faintly, and lists it among no problems. */
export type ProblemSeverity = 'error' | 'warning' | 'hint';

/** A problem in a document, as offsets into its text. */
export type DocumentProblem = ProblemWords & { readonly start: number; readonly end: number; readonly severity: ProblemSeverity };

/** What the language server says of a document: in English to other editors, in the person's language in ours. */
export const problemTable = {
  badName: 'A server’s name must be 1 to {longest} visible characters.',
  badUrl: '“{url}” is not a complete URL.',
  /** `reason` is in the words of the schema. */
  badValue: '“{key}” is not valid: {reason}.',
  commandAndUrl: '“{name}” has both a command and a url. Keep one: the command for a local server, the url for a remote one.',
  duplicateName: 'The name “{name}” is already used above. Only the last definition of a name counts.',
  emptyValue: '“{key}” is not valid: it is empty.',
  foreignKey: '“{key}” is not a key that Duplex knows. Duplex leaves it out.',
  inputNotHere: '“{key}” may not hold an input.',
  misplacedKey: '“{key}” has no meaning for a server with a {kind}.',
  mixedScripts: 'The name “{name}” mixes letters of several alphabets, which may look like another name.',
  nameWithPlace: 'The name “{name}” cannot be used: what follows an @ says where a server is configured.',
  needlessShell: 'Duplex finds “{program}” by itself. “{shell}” before it is not needed, and exists on Windows alone.',
  neitherCommandNorUrl: '“{name}” needs a command (for a local server) or a url (for a remote one).',
  otherToolsKey: '“{key}” is another tool’s word. Here it is called “{own}”.',
  plainHttp: 'What is sent to {host} is not encrypted. Use {secure} unless you trust every network on the way.',
  reservedName: 'The name “{name}” is reserved for the editor’s own server. Choose another one.',
  secretInArgument: '“{key}” looks like a secret in an argument, where every program on this machine can read it.',
  secretInPlainText: '“{key}” looks like a secret in plain text. Refer to a variable instead, such as {variable}.',
  secretInUrl: '“{key}” looks like a secret in the URL, which ends up in logs. Use a header with a variable if the server takes one.',
  tooLarge: '“{key}” is not valid: the most is {most}.',
  tooSmall: '“{key}” is not valid: the least is {least}.',
  unknownInput: 'The input “{input}” is not defined in the same file.',
  unknownKey: '“{key}” is not a known key.',
  unknownVariable: '“{variable}” is not a variable that Duplex knows. It knows {known}.',
  unpinnedPackage: '“{name}” has no exact version: every start may run another one.',
  wrongScheme: 'The URL starts with {scheme} but must start with {secure} or {plain}.',
  wrongSection: '“{key}” is where another tool keeps its servers. This file keeps them under “{expected}”.',
  wrongType: { text: '“{key}” must be {expected}.', words: { expected: expectedValue } },
  wrongValue: '“{key}” must be one of {values}.',
} as const satisfies SentenceTable;

type ProblemTable = typeof problemTable;
export type ProblemCode = keyof ProblemTable;

/** A code with the arguments that its sentence needs. */
export type ProblemWords = {
  readonly [Code in ProblemCode]: { readonly code: Code; readonly args: ArgumentsOf<ProblemTable, Code> };
}[ProblemCode];

/** Sent with a diagnostic, so that an editor can say it in another language. */
export interface ProblemData {
  readonly code: ProblemCode;
  readonly args: ErrorArguments;
}

/** The most characters of a text from the file in the sentence of a problem. */
const maxArgument = 100;

/** The names come from a repository: invisible characters are made visible, and long names are cut so that the sentence stays in view. */
export function dataOf({ code, args }: ProblemWords): ProblemData {
  return { code, args: shownArguments(args) };
}

/** The arguments of a sentence, so that none of them hides anything or pushes the rest out of view. */
export function shownArguments(args: ErrorArguments): ErrorArguments {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shown(String(value))]));
}

export function sentenceOf(problem: ProblemWords): string {
  const { code, args } = dataOf(problem);
  return sentencesOf(problemTable)(code, args);
}

function shown(argument: string): string {
  const visible = revealInvisible(argument).replace(/\s+/g, ' ');
  return visible.length > maxArgument ? `${visible.slice(0, maxArgument)}…` : visible;
}
