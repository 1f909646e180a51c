import type { Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { RunStore } from './runStore.ts';
import { isOnlyTests, isTestCommand, testCommandsIn } from './testCommand.ts';
import type { RunRecorder } from './testRun.ts';

/** A command in a terminal, as far as it may be tests. */
export interface WatchedCommand {
  readonly terminalId: string;
  readonly command: string;
  readonly isRunning: boolean;
  readonly startedAt: number;
}

export interface WatchedEnd extends WatchedCommand {
  /** The folder it ran in, absolute. */
  readonly cwdPath?: string | undefined;
  /** None when the shell did not tell. */
  readonly exitCode?: number | undefined;
  /** All that is kept of it. */
  readonly output: string;
  readonly isCut: boolean;
}

export interface CommandWatch {
  listCommands(terminalId: string): readonly WatchedCommand[];
  /** Fires with a terminal's id when a command began, wrote something or ended in it. */
  readonly onDidChangeTerminal: Event<string>;
  /** Once for each command. */
  readonly onDidEndCommand: Event<WatchedEnd>;
}

/** Enters test commands that a person runs in a terminal into the history. */
export class TerminalRuns implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #terminals: CommandWatch;
  readonly #store: RunStore;
  readonly #running = new Map<string, RunRecorder>();

  constructor(terminals: CommandWatch, store: RunStore, onDidEnd: (startedAt: number) => void) {
    this.#terminals = terminals;
    this.#store = store;
    this.#lifetime.add(terminals.onDidChangeTerminal((id) => this.#lookAt(id)));
    this.#lifetime.add(
      terminals.onDidEndCommand((command) => {
        if (this.#running.has(keyOf(command)) || isTestCommand(command.command)) {
          this.#end(command);
          onDidEnd(command.startedAt);
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

  #end(command: WatchedEnd): void {
    const recorder = this.#running.get(keyOf(command)) ?? this.#begin(command);
    this.#running.delete(keyOf(command));
    recorder.write(command.output);
    // What else was run on the same line is nobody's business: readers of test results may not read terminals.
    void recorder.end({ kind: 'exited', exitCode: command.exitCode, keepsOutput: isOnlyTests(command.command), isCut: command.isCut });
  }
}

/** Without the command itself: some shells tell it, or tell it right, only at its end. */
function keyOf({ terminalId, startedAt }: WatchedCommand): string {
  return `${terminalId} ${startedAt}`;
}
