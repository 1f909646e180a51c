import { assignment, keywords } from './commandCalls.ts';
import { folderChanges } from './programNames.ts';
import type { ShellSign, ShellWord } from './shellLine.ts';

type Move = 'none' | 'surely' | 'perhaps';

const openers: ReadonlySet<string> = new Set(['if', 'while', 'until', '{', 'for', 'case', 'select']);
const closers: ReadonlySet<string> = new Set(['fi', 'done', '}', 'esac']);

/** Follows in which folder the commands of one line run, one after the other. */
export class WorkingFolder {
  readonly #resolve: (from: string, to: string) => string;
  /** The folder of the next command; `undefined` where it cannot be known. */
  #here: string | undefined;
  /** Whether the folder was changed since the last command that ran whatever came of those before it. */
  #moved: Move = 'none';
  #before: ShellSign = ';';
  /** How many of the shell's own statements (`if`, `while` and so on) are open. */
  #depth = 0;
  readonly #outer: { readonly here: string | undefined; readonly moved: Move }[] = [];

  constructor(folder: string | undefined, resolve: (from: string, to: string) => string) {
    this.#here = folder;
    this.#resolve = resolve;
  }

  get here(): string | undefined {
    return this.#here;
  }

  /** Passes an operator. A change of folder within parentheses ends with them. */
  pass(sign: ShellSign): void {
    this.#before = sign;
    if (sign === '(') {
      this.#outer.push({ here: this.#here, moved: this.#moved });
    } else if (sign === ')') {
      const outer = this.#outer.pop();
      this.#here = outer?.here;
      this.#moved = outer?.moved ?? 'none';
      return;
    }
    // What follows also runs when the change of folder failed, was never reached, or happened in another process.
    const isLost = sign === '||' || sign === '&' ? this.#moved !== 'none' : sign === ';' && this.#moved === 'perhaps';
    this.#here = isLost ? undefined : this.#here;
    if (sign === ';' || sign === '&' || sign === '(') {
      this.#moved = 'none';
    }
  }

  /** Follows a command; returns whether it was one that changes the folder. `next` is the operator after it. */
  follow(words: readonly ShellWord[], next: ShellSign): boolean {
    const { command, hasKeyword, hasSetting } = this.#strip(words);
    const [program, target, ...more] = command;
    if (program === undefined || !folderChanges.has(program.text.toLowerCase())) {
      return false;
    }
    const isPlain = program.text === 'cd' && target !== undefined && !target.isOpen && !/^[-+]|^$/.test(target.text) && more.length === 0;
    const isReached = this.#before !== '|' && this.#before !== '||' && !hasKeyword && !hasSetting && this.#depth === 0;
    const isAwaited = next === '&&' || next === ';' || next === ')';
    this.#here = isPlain && isReached && isAwaited && this.#here !== undefined ? this.#resolve(this.#here, target.text) : undefined;
    this.#moved = this.#before === '&&' ? 'perhaps' : 'surely';
    return true;
  }

  /** Takes away what stands before the command itself. */
  #strip(words: readonly ShellWord[]): { command: readonly ShellWord[]; hasKeyword: boolean; hasSetting: boolean } {
    let hasKeyword = false;
    let hasSetting = false;
    let isWrapped = false;
    for (const [index, { text }] of words.entries()) {
      const isWrapper = text === 'command' || text === 'builtin';
      const isKeyword = keywords.has(text) && !isWrapped;
      this.#depth = Math.max(0, this.#depth + (isWrapped ? 0 : Number(openers.has(text)) - Number(closers.has(text))));
      hasKeyword ||= isKeyword;
      hasSetting ||= /^(?:CDPATH|HOME|PWD|OLDPWD)\+?=/i.test(text);
      isWrapped ||= isWrapper;
      if (!isKeyword && !isWrapper && !assignment.test(text) && !(isWrapped && text.startsWith('-'))) {
        return { command: words.slice(index), hasKeyword, hasSetting };
      }
    }
    return { command: [], hasKeyword, hasSetting };
  }
}
