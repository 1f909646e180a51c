import { pathVariable } from '../../platform/pathVariable.ts';

/** What the editor sets for itself, and keys that Duplex holds for its own use. */
const notForTests: readonly RegExp[] = [
  /^ELECTRON_/,
  /^VSCODE_(?!.*(?:PORTABLE|SHELL_LOGIN)$)/,
  /^DUPLEX_(?:CLIENT_TOKEN|TEST_PROCESS|SERVER_PROCESS)$/,
  /^ANTHROPIC_/,
  // Tests of tests: a runner that finds it talks to its parent instead of to people.
  /^NODE_TEST_CONTEXT$/,
  /^NODE_OPTIONS$/,
];

/** The editor's own environment for the tests, with the PATH the person has in a terminal. */
export function testEnvironment(own: Readonly<Record<string, string | undefined>>, path: string): Record<string, string> {
  const kept = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !notForTests.some((name) => name.test(entry[0])),
  );
  return { ...Object.fromEntries(kept), [pathVariable(own).name]: path };
}
