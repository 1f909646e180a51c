import { sentencesOf, type ArgumentsOf, type ErrorArguments, type ErrorTable } from '../base/errors.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { expectedValue } from '../contract/settings/schemaIssue.ts';

export type ProblemSeverity = 'error' | 'warning';

/** Something wrong in a document, as offsets into its text. */
export type Problem = ProblemWords & { readonly start: number; readonly end: number; readonly severity: ProblemSeverity };

type Key = { readonly key: string };
/** Of the server. */
type Named = { readonly name: string };

/** In English, for editors other than ours; views/ has the same in the person's language. */
export const problemTable = {
  badName: ({ longest }: { longest: string }) => `A server’s name must be 1 to ${longest} visible characters.`,
  badUrl: ({ url }: { url: string }) => `“${url}” is not a complete URL.`,
  /** The reason in the words of the schema. */
  badValue: ({ key, reason }: Key & { reason: string }) => `“${key}” is not valid: ${reason}.`,
  commandAndUrl: ({ name }: Named) =>
    `“${name}” has both a command and a url. Keep one: the command for a local server, the url for a remote one.`,
  duplicateName: ({ name }: Named) => `The name “${name}” is already used above. Only the last definition of a name counts.`,
  emptyValue: ({ key }: Key) => `“${key}” is not valid: it is empty.`,
  foreignKey: ({ key }: Key) => `“${key}” is not a key that Duplex knows. Duplex leaves it out.`,
  inputNotHere: ({ key }: Key) => `“${key}” may not hold an input.`,
  misplacedKey: ({ key, kind }: Key & { kind: string }) => `“${key}” has no meaning for a server with a ${kind}.`,
  mixedScripts: ({ name }: Named) => `The name “${name}” mixes letters of several alphabets, which may look like another name.`,
  nameWithPlace: ({ name }: Named) => `The name “${name}” cannot be used: what follows an @ says where a server is configured.`,
  neitherCommandNorUrl: ({ name }: Named) => `“${name}” needs a command (for a local server) or a url (for a remote one).`,
  plainHttp: ({ host, secure }: { host: string; secure: string }) =>
    `What is sent to ${host} is not encrypted. Use ${secure} unless you trust every network on the way.`,
  reservedName: ({ name }: Named) => `The name “${name}” is reserved for the editor’s own server. Choose another one.`,
  secretInPlainText: ({ key, variable }: Key & { variable: string }) =>
    `“${key}” looks like a secret in plain text. Refer to a variable instead, such as ${variable}.`,
  tooLarge: ({ key, most }: Key & { most: string }) => `“${key}” is not valid: the most is ${most}.`,
  tooSmall: ({ key, least }: Key & { least: string }) => `“${key}” is not valid: the least is ${least}.`,
  unknownInput: ({ input }: { input: string }) => `The input “${input}” is not defined in the same file.`,
  unknownKey: ({ key }: Key) => `“${key}” is not a known key.`,
  unknownVariable: ({ variable, known }: { variable: string; known: string }) =>
    `“${variable}” is not a variable that Duplex knows. It knows ${known}.`,
  wrongScheme: ({ scheme, secure, plain }: { scheme: string; secure: string; plain: string }) =>
    `The URL starts with ${scheme} but must start with ${secure} or ${plain}.`,
  wrongType: ({ key, expected }: Key & { expected: string }) => `“${key}” must be ${expectedValue(expected)}.`,
  wrongValue: ({ key, values }: Key & { values: string }) => `“${key}” must be one of ${values}.`,
} as const satisfies ErrorTable;

type ProblemTable = typeof problemTable;
export type ProblemCode = keyof ProblemTable;

/** A code with the arguments its sentence needs. */
export type ProblemWords = {
  readonly [Code in ProblemCode]: { readonly code: Code; readonly args: ArgumentsOf<ProblemTable, Code> };
}[ProblemCode];

/** What goes with a diagnostic, for an editor that says it in another language. */
export interface ProblemData {
  readonly code: ProblemCode;
  readonly args: ErrorArguments;
}

const maxArgument = 100;

/** Names come from a repository: nothing in them is hidden, and none pushes the sentence out of view. */
export function dataOf({ code, args }: ProblemWords): ProblemData {
  return { code, args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shown(value)])) };
}

export function sentenceOf(problem: ProblemWords): string {
  const { code, args } = dataOf(problem);
  return sentencesOf(problemTable)(code, args);
}

function shown(argument: string): string {
  const visible = revealInvisible(argument).replace(/\s+/g, ' ');
  return visible.length > maxArgument ? `${visible.slice(0, maxArgument)}…` : visible;
}
