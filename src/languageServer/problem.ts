import type { ErrorArguments } from '../base/errors.ts';
import { revealInvisible } from '../base/visibleText.ts';

export type ProblemSeverity = 'error' | 'warning';

/** Something wrong in a document, as offsets into its text. People read `sentenceOf(problem)`. */
export interface Problem {
  readonly start: number;
  readonly end: number;
  readonly severity: ProblemSeverity;
  readonly code: ProblemCode;
  readonly args: ErrorArguments;
}

/** In English, by code; `{name}` is filled from the problem's arguments. */
const sentences = {
  badName: 'A server’s name must be 1 to 100 visible characters.',
  badUrl: '“{url}” is not a complete URL.',
  badValue: '“{key}” is not valid: {reason}.',
  commandAndUrl: '“{name}” has both a command and a url. Keep one: the command for a local server, the url for a remote one.',
  duplicateName: 'The name “{name}” is already used above. Only the last definition of a name counts.',
  foreignKey: '“{key}” is not a key that Duplex knows. Duplex leaves it out.',
  misplacedKey: '“{key}” has no meaning for a server with a {kind}.',
  neitherCommandNorUrl: '“{name}” needs a command (for a local server) or a url (for a remote one).',
  plainHttp: 'What is sent to {host} is not encrypted. Use {secure} unless you trust every network on the way.',
  reservedName: 'The name “{name}” is reserved for the editor’s own server. Choose another one.',
  secretInPlainText: '“{key}” looks like a secret in plain text. Refer to a variable instead, such as {variable}.',
  unknownKey: '“{key}” is not a known key.',
  wrongScheme: 'The URL starts with {scheme} but must start with {expected}.',
  wrongType: '“{key}” must be {expected}.',
  wrongValue: '“{key}” must be one of {expected}.',
} as const;

export type ProblemCode = keyof typeof sentences;

const longestArgument = 100;

export function sentenceOf(problem: Pick<Problem, 'code' | 'args'>): string {
  return sentences[problem.code].replace(/\{(\w+)\}/g, (_whole, name: string) => shown(String(problem.args[name] ?? '')));
}

/** Names come from a repository: nothing in them is hidden, and none pushes the sentence out of view. */
function shown(argument: string): string {
  const visible = revealInvisible(argument).replace(/\s+/g, ' ');
  return visible.length > longestArgument ? `${visible.slice(0, longestArgument)}…` : visible;
}
