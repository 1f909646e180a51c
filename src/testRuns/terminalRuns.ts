import type { Event } from '../base/events.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { RunStore } from './runStore.ts';
import type { RunRecorder } from './testRun.ts';

/** The part of a terminal command that tells whether it runs tests. */
export interface WatchedCommand {
  readonly terminalId: string;
  readonly command: string;
  readonly isRunning: boolean;
  readonly startedAt: number;
}

export interface WatchedEnd extends WatchedCommand {
  /** The folder the command ran in, as an absolute path. */
  readonly cwdPath?: string | undefined;
  /** The exit code; left out when the shell did not tell it. */
  readonly exitCode?: number | undefined;
  /** All of the output that is kept. */
  readonly output: string;
  readonly isCut: boolean;
}

export interface CommandWatch {
  listCommands(terminalId: string): readonly WatchedCommand[];
  /** Fires with a terminal's id when a command began, wrote something or ended in it. */
  readonly onDidChangeTerminal: Event<string>;
  /** Fires once for each command. */
  readonly onDidEndCommand: Event<WatchedEnd>;
}

/** Enters test commands that a person runs in a terminal into the history. */
export class TerminalRuns implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #terminals: CommandWatch;
  readonly #store: RunStore;
  readonly #running = new Map<string, RunRecorder>();

  constructor(terminals: CommandWatch, store: RunStore, onDidEnd: (startedAt: number, id: string) => void) {
    this.#terminals = terminals;
    this.#store = store;
    this.#lifetime.add(terminals.onDidChangeTerminal((id) => this.#lookAt(id)));
    this.#lifetime.add(
      terminals.onDidEndCommand((command) => {
        if (this.#running.has(keyOf(command)) || isTestCommand(command.command)) {
          onDidEnd(command.startedAt, this.#end(command).id);
        }
      }),
    );
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #lookAt(terminalId: string): void {
    for (const command of this.#terminals.listCommands(terminalId)) {
      if (command.isRunning && !this.#running.has(keyOf(command)) && isTestCommand(command.command)) {
        this.#begin(command);
      }
    }
  }

  #begin(command: WatchedCommand & { readonly cwdPath?: string | undefined }): RunRecorder {
    const { startedAt, cwdPath } = command;
    const recorder = this.#store.begin({
      command: testCommandsIn(command.command),
      source: 'terminal',
      startedAt,
      ...(cwdPath !== undefined && { cwd: cwdPath }),
    });
    this.#running.set(keyOf(command), recorder);
    return recorder;
  }

  #end(command: WatchedEnd): RunRecorder {
    const recorder = this.#running.get(keyOf(command)) ?? this.#begin(command);
    this.#running.delete(keyOf(command));
    recorder.write(command.output);
    // The output of other commands on the same line is not kept: readers of test results may not be allowed to read terminals.
    void recorder.end({ kind: 'exited', exitCode: command.exitCode, keepsOutput: isOnlyTests(command.command), isCut: command.isCut });
    return recorder;
  }
}

/** The key of a command. The command line is no part of it: some shells tell it, or tell it right, only at its end. */
function keyOf({ terminalId, startedAt }: WatchedCommand): string {
  return `${terminalId} ${startedAt}`;
}

/**
 * Matches programs that run tests by themselves. Below are package managers and build tools that do with the right word after
 * them.
 */
const runners = /^(?:mocha|jest|vitest|ava|tap|tape|pytest|py\.test|phpunit|rspec|nextest|ctest|gotestsum|uvu|c8|nyc)$/;
const withWord: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:npm|pnpm|yarn|bun)$/, /^(?:test(?::\S+)?|t|tst|run-test)$/],
  [/^(?:npx|bunx|pnpx|uvx)$/, runners],
  [
    /^(?:go|cargo|dotnet|deno|mix|swift|flutter|dart|zig|bazel|mvnw?|gradlew?|sbt|rake|make|just|poe|tox|nox|hatch|uv|poetry)$/,
    /^(?:test|nextest|check|verify|pytest|:?\S*:test)$/,
  ],
  [/^python[\d.]*$/, /^(?:pytest|unittest)$/],
];
const wordsBefore = /^(?:run|exec|dlx|run-script|x|-m|-w|--silent|-s|--)$/;

/** Whether a command line in a terminal runs tests, as far as its words tell. */
export function isTestCommand(commandLine: string): boolean {
  return partsOf(commandLine).some(isTestPart);
}

/**
 * The parts of a command line that run tests, and nothing of what else was typed: neither other commands nor variables nor what a
 * shell fills in.
 */
export function testCommandsIn(commandLine: string): string {
  return partsOf(commandLine)
    .filter(isTestPart)
    .map((words) => words.slice(programAt(words)).join(' '))
    .map((part) => part.slice(0, startOfMore(part)).trimEnd())
    .join('; ');
}

/** Whether a command line only runs tests, apart from going to a folder. */
export function isOnlyTests(commandLine: string): boolean {
  return !/[`$<>(]/.test(commandLine) && partsOf(commandLine).every((words) => words[0] === 'cd' || isTestPart(words));
}

function partsOf(commandLine: string): readonly (readonly string[])[] {
  return commandLine
    .slice(0, 4_000)
    .split(/&&|\|\||[;|&\n]/)
    .map((part) => part.trim().split(/\s+/))
    .filter((words) => words[0] !== '');
}

function programAt(words: readonly string[]): number {
  return Math.max(
    words.findIndex((word) => !/^[A-Za-z_]\w*=|^(?:sudo|env|time|cross-env|command|nice)$/.test(word)),
    0,
  );
}

/** Where the first word begins that a shell would make something else of, or a comment. */
function startOfMore(part: string): number {
  const special = part.search(/[`$<>(]|\s#/);
  return special < 0 ? part.length : Math.max(part.lastIndexOf(' ', special), 0);
}

function isTestPart(words: readonly string[]): boolean {
  const [program = '', ...rest] = words.slice(programAt(words)).map((word) => word.replace(/^["']|["']$/g, ''));
  const name =
    program
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(?:cmd|exe|bat|ps1|m?js)$/i, '') ?? '';
  if (runners.test(name)) {
    return true;
  }
  if (name === 'node') {
    return rest.includes('--test');
  }
  const pair = withWord.find(([manager]) => manager.test(name));
  if (pair === undefined) {
    return false;
  }
  const candidates = rest.filter((word) => !wordsBefore.test(word) && !word.startsWith('-'));
  return pair[1].test(candidates[0] ?? '') || (rest.some((word) => /^(?:exec|run|dlx|x)$/.test(word)) && runners.test(candidates[0] ?? ''));
}
