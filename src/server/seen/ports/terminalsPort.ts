import type { Event } from '../../../base/events.ts';

/** The commands in terminals with shell integration, since the extension was activated. */
export interface TerminalsPort {
  /** The terminals that are open, and closed ones whose commands are still remembered, oldest first. */
  listTerminals(): readonly TerminalEntry[];
  /** The commands, oldest first; running ones with what they have written so far. */
  listCommands(terminalId?: string): readonly WantedCommand[];
  /**
   * Reads what one of these commands has written. In a client's view it takes a while, and `output` itself is empty there: outputs
   * are long, and an answer has room for few of many.
   */
  readOutput(command: WantedCommand): string | Promise<string>;
  /** Says why `listCommands` returned nothing. */
  explainEmpty(terminalId?: string): string;
  /** Fires with the id of a terminal in which a command began, wrote something or ended; a burst of output is one event. */
  readonly onDidChangeTerminal: Event<string>;
  readonly onDidChangeTerminals: Event<void>;
  /** Fires once for each command that has ended, with all that is kept of its output. */
  readonly onDidEndCommand: Event<EndedCommand>;
}

export interface TerminalEntry {
  readonly id: string;
  readonly name: string;
  readonly hasShellIntegration: boolean;
}

export interface WantedCommand {
  readonly terminalId: string;
  readonly command: string;
  /** The client path of the folder it ran in. */
  readonly cwd?: string | undefined;
  /** Missing while the command runs, and if the shell did not tell. */
  readonly exitCode?: number | undefined;
  readonly isRunning: boolean;
  /** The output without control sequences; the beginning is cut off if it was too long. */
  readonly output: string;
  /** The command has ended and VS Code passed on nothing of what it wrote, be it much or nothing. */
  readonly isUnheard?: boolean;
  readonly isCut: boolean;
  readonly startedAt: number;
}

export interface EndedCommand extends WantedCommand {
  /** The folder as an absolute path, for reading report files. */
  readonly cwdPath?: string | undefined;
  readonly endedAt: number;
}
