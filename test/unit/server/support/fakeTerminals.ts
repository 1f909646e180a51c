import { Emitter } from '../../../../src/base/events.ts';
import type { EndedCommand, WantedCommand, TerminalEntry, TerminalsPort } from '../../../../src/server/seen/ports/terminalsPort.ts';

export class FakeTerminals implements TerminalsPort {
  terminals: readonly TerminalEntry[] = [{ id: '1', name: 'bash', hasShellIntegration: true }];
  commands: readonly WantedCommand[] = [terminalCommand('npm test', 'all is well')];
  readonly didChangeTerminal = new Emitter<string>();
  readonly didChangeTerminals = new Emitter<void>();
  readonly didEndCommand = new Emitter<EndedCommand>();
  readonly onDidChangeTerminal = this.didChangeTerminal.event;
  readonly onDidChangeTerminals = this.didChangeTerminals.event;
  readonly onDidEndCommand = this.didEndCommand.event;

  listTerminals(): readonly TerminalEntry[] {
    return this.terminals;
  }

  listCommands(terminalId?: string): readonly WantedCommand[] {
    return this.commands.filter((command) => terminalId === undefined || command.terminalId === terminalId);
  }

  readOutput({ output }: WantedCommand): string {
    return output;
  }

  explainEmpty(): string {
    return 'No terminal is open.';
  }
}

export function terminalCommand(command: string, output: string, changes: Partial<WantedCommand> = {}): WantedCommand {
  return { terminalId: '1', command, cwd: 'src', exitCode: 0, isRunning: false, output, isCut: false, startedAt: 1, ...changes };
}
