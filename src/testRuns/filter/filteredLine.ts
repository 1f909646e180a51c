import { joinCommand } from '../../base/commandLine.ts';
import { type Calls, readCommand } from '../chain/commandCalls.ts';
import { type ShellLine, type ShellWord, splitShellLine, type WrittenWord } from '../chain/shellLine.ts';
import { type CannotSelect, type NewWords, type PatternPart, select, type Selection, type SelectionGround } from './selections.ts';
import { testCommandIn } from './testPrograms.ts';

/** The shell of this system, which reads the line. */
export type ShellKind = 'posix' | 'windows';

export interface FilterGround extends Omit<SelectionGround, 'pattern'> {
  readonly shell: ShellKind;
  /** The scripts of the package in the folder that the line runs in; empty where there is none. */
  readonly scripts: ReadonlyMap<string, string>;
}

export interface FilteredLine {
  /** The line as this system's shell reads it. */
  readonly line: string;
  /** The commands of the line, as that shell reads them. */
  readonly commands: readonly (readonly ShellWord[])[];
  /** Whether a part of it is the line of a package script, for which the programs of packages come before those of the machine. */
  readonly isOfPackage: boolean;
}

/** `unknown`: the line runs no test program that is known. `unsafe`: this system's shell could read a command in the filter. */
export type CannotFilter = CannotSelect | 'unknown' | 'unsafe';

/** The most scripts that call each other and are followed. */
const maxDepth = 8;

/**
 * Writes the line of a command that runs all tests anew, so that it runs only the selected ones. Where it calls package scripts,
 * their own lines stand in its place: nothing of the filter goes through a package manager, because some versions of these hand
 * arguments to a shell without quotes that hold.
 */
export async function filterLine(line: string, selection: Selection, ground: FilterGround): Promise<FilteredLine | CannotFilter> {
  const written = expand(line, ground.scripts, 0);
  if (written === undefined) {
    return 'unknown';
  }
  const pattern = (parts: readonly PatternPart[]): string => patternFor(ground.shell, parts);
  const commands: NewWords[] = [];
  let isSelected = false;
  for (const words of written.commands) {
    const test = testCommandIn(words);
    if (test === 'other') {
      return 'unknown';
    }
    const selected = test === undefined ? words : await select(words, test, selection, { ...ground, pattern });
    if (typeof selected === 'string') {
      return selected;
    }
    isSelected ||= test !== undefined;
    commands.push(selected);
  }
  const isOfPackage = splitShellLine(line.trim())?.commands.some((words) => scriptOf(words, ground.scripts) !== undefined) === true;
  return isSelected ? write(commands, written.operators, ground.shell, isOfPackage) : 'unknown';
}

/** Puts the lines of package scripts in the place of the commands that call them. */
function expand(line: string, scripts: FilterGround['scripts'], depth: number): ShellLine | undefined {
  const split = splitShellLine(line.trim());
  if (split === undefined || depth > maxDepth) {
    return undefined;
  }
  const commands: (readonly WrittenWord[])[] = [];
  const operators: string[] = [];
  for (const [index, words] of split.commands.entries()) {
    const inner = expandCommand(words, scripts, depth);
    // The line of a script stands for one command only where all that is around it is joined in the same way.
    if (inner === undefined || (inner.commands.length > 1 && split.operators.some((each) => each !== '&&'))) {
      return undefined;
    }
    operators.push(...split.operators.slice(Math.max(0, index - 1), index), ...inner.operators);
    commands.push(...inner.commands);
  }
  return { commands, operators };
}

function expandCommand(words: readonly WrittenWord[], scripts: FilterGround['scripts'], depth: number): ShellLine | undefined {
  const found = scriptOf(words, scripts);
  if (found === undefined) {
    return { commands: [words], operators: [] };
  }
  const { call, text } = found;
  const inner = expand(text, scripts, depth + 1);
  const last = inner?.commands.at(-1);
  if (inner === undefined || last === undefined) {
    return undefined;
  }
  const args = words.filter((word) => call.args.includes(word));
  const around = (name: string): (readonly WrittenWord[])[] => (call.isAlone || !scripts.has(name) ? [] : [runScript(words, name)]);
  const [before, after] = [around(`pre${call.name}`), around(`post${call.name}`)];
  if (before.length + after.length > 0 && inner.operators.some((each) => each !== '&&')) {
    return undefined;
  }
  const commands = [...before, ...inner.commands.slice(0, -1), [...last, ...args], ...after];
  return { commands, operators: [...before.map(() => '&&'), ...inner.operators, ...after.map(() => '&&')] };
}

interface ScriptCall {
  readonly call: Extract<Calls, { readonly kind: 'script' }>;
  readonly text: string;
}

/** The package script that a command calls, if there is such a script. */
function scriptOf(words: readonly WrittenWord[], scripts: FilterGround['scripts']): ScriptCall | undefined {
  const call = readCommand(words);
  const text = call.kind === 'script' ? scripts.get(call.name) : undefined;
  return call.kind !== 'script' || text === undefined ? undefined : { call, text };
}

/** The call of another script by the same package manager. */
function runScript(words: readonly WrittenWord[], name: string): readonly WrittenWord[] {
  const manager = words.find(({ text }) => /^(?:npm|pnpm|yarn|bun)$/.test(text))?.text ?? 'npm';
  return [manager, 'run', name].map((text) => ({ text, raw: text, isOpen: false }));
}

function write(
  commands: readonly NewWords[],
  operators: readonly string[],
  shell: ShellKind,
  isOfPackage: boolean,
): FilteredLine | 'unsafe' {
  let line = '';
  for (const [index, words] of commands.entries()) {
    const texts = words.map((word) => (typeof word === 'string' ? quote(word, shell) : word.raw));
    if (texts.includes(undefined)) {
      return 'unsafe';
    }
    const sign = index === 0 ? '' : operators[index - 1] === ';' ? '; ' : ` ${operators[index - 1] ?? '&&'} `;
    line += `${sign}${texts.join(' ')}`;
  }
  return {
    line,
    isOfPackage,
    commands: commands.map((words) => words.map((word) => (typeof word === 'string' ? { text: word, isOpen: false } : word))),
  };
}

/** Quotes a word for the shell; `undefined` for what the shell of Windows does not take for text even in quotes. */
function quote(word: string, shell: ShellKind): string | undefined {
  if (shell === 'posix') {
    return joinCommand([word]);
  }
  return /["%!^&|<>()\r\n]/.test(word) || word.endsWith('\\') ? undefined : /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}

/** On Windows every sign that a shell could read becomes one that stands for any, and a name need not be whole. */
function patternFor(shell: ShellKind, parts: readonly PatternPart[]): string {
  return parts
    .map((part) => {
      if (shell === 'posix') {
        return 'text' in part ? part.text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') : part.expression;
      }
      return 'text' in part ? part.text.replaceAll(/[^\w -]/g, '.') : part.expression.startsWith(' ') ? '.{1,3}' : '';
    })
    .join('');
}
