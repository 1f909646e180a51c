/** What is wrong with a name in a language: it is no name there, or a word that the language keeps for itself. */
export type SymbolNameProblem = 'notName' | 'reserved';

interface NameRules {
  readonly pattern: RegExp;
  readonly reserved: ReadonlySet<string>;
}

/** The rules of JavaScript and TypeScript. Modules and classes are strict, so the words of strict mode are among the reserved ones. */
const script: NameRules = {
  pattern: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u,
  reserved: wordsOf(
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for',
    'function if implements import in instanceof interface let new null package private protected public return static super switch this',
    'throw true try typeof var void while with yield',
  ),
};

const python: NameRules = {
  pattern: /^[\p{ID_Start}_][\p{ID_Continue}]*$/u,
  reserved: wordsOf(
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is',
    'lambda nonlocal not or pass raise return try while with yield',
  ),
};

/** Of other languages it is only known that a name is on one line. */
const others: NameRules = { pattern: /^[^\r\n\u2028\u2029\0]+$/u, reserved: new Set() };

const rules: Readonly<Record<string, NameRules>> = {
  javascript: script,
  javascriptreact: script,
  typescript: script,
  typescriptreact: script,
  python,
};

/** Languages in which members may have any word as their name, and in quotes any text. */
export function hasFreeMembers(languageId: string): boolean {
  return rules[languageId] === script;
}

/** Looks for what is wrong with the new name of a symbol. A private member of a class (`#name`) stays private. */
export function nameProblem(languageId: string, oldName: string, newName: string): SymbolNameProblem | undefined {
  const { pattern, reserved } = rules[languageId] ?? others;
  const isPrivate = hasFreeMembers(languageId) && oldName.startsWith('#') && newName.startsWith('#');
  const name = isPrivate ? newName.slice(1) : newName;
  if (!pattern.test(name) || name.trim() === '') {
    return 'notName';
  }
  return reserved.has(name) && !isPrivate ? 'reserved' : undefined;
}

function wordsOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
