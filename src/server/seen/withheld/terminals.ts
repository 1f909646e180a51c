import type { EndedCommand, TerminalCommand, TerminalsPort } from '../ports/terminalsPort.ts';
import type { Visibility } from './visibility.ts';

/** Terminals as one client may see them. What a command printed may be anything: only the secrets in it are known. */
export function withholdingTerminals(terminals: TerminalsPort, { redact, isShown }: Visibility): TerminalsPort {
  const shownCommand = <T extends TerminalCommand | EndedCommand>(command: T): T => ({
    ...command,
    command: redact(command.command),
    // When it is looked at: of many outputs an answer has room for few.
    get output() {
      return redact(command.output);
    },
    cwd: command.cwd !== undefined && isShown(command.cwd) ? command.cwd : undefined,
  });
  return {
    listTerminals: () => terminals.listTerminals().map((terminal) => ({ ...terminal, name: redact(terminal.name) })),
    listCommands: (terminalId) => terminals.listCommands(terminalId).map(shownCommand),
    explainEmpty: (terminalId) => terminals.explainEmpty(terminalId),
    onDidChangeTerminal: terminals.onDidChangeTerminal,
    onDidChangeTerminals: terminals.onDidChangeTerminals,
    onDidEndCommand: (listener) => terminals.onDidEndCommand((ended) => listener(shownCommand(ended))),
  };
}
