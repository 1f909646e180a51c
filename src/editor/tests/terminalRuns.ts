import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { EndedCommand, TerminalCommand, TerminalsPort } from '../../server/seen/ports/terminalsPort.ts';
import type { RunStore } from '../../testRuns/runStore.ts';
import { isOnlyTests, isTestCommand, testCommandsIn } from '../../testRuns/testCommand.ts';
import type { RunRecorder } from '../../testRuns/testRun.ts';

export type CommandWatch = Pick<TerminalsPort, 'listCommands' | 'onDidChangeTerminal' | 'onDidEndCommand'>;

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

  #begin(command: TerminalCommand & { readonly cwdPath?: string | undefined }): RunRecorder {
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

  #end(command: EndedCommand): void {
    const recorder = this.#running.get(keyOf(command)) ?? this.#begin(command);
    this.#running.delete(keyOf(command));
    recorder.write(command.output);
    // What else was run on the same line is nobody's business: readers of test results may not read terminals.
    recorder.end({ kind: 'exited', exitCode: command.exitCode, keepsOutput: isOnlyTests(command.command), isCut: command.isCut });
  }
}

/** Without the command itself: some shells tell it, or tell it right, only at its end. */
function keyOf({ terminalId, startedAt }: TerminalCommand): string {
  return `${terminalId} ${startedAt}`;
}
