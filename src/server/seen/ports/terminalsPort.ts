import type { Event } from '../../../base/events.ts';

/** Commands in terminals with shell integration, since activation. */
export interface TerminalsPort {
  /** Terminals that are open, or closed with commands still remembered; oldest first. */
  listTerminals(): readonly TerminalEntry[];
  /** Oldest first; running commands with what they have written so far. */
  listCommands(terminalId?: string): readonly TerminalCommand[];
  /** Why there is nothing to show, for `listCommands` that came back empty. */
  explainEmpty(terminalId?: string): string;
  /** A command began, wrote something or ended in this terminal; bursts of output are one event. */
  readonly onDidChangeTerminal: Event<string>;
  readonly onDidChangeTerminals: Event<void>;
  /** Once for each command, with all that is kept of its output. */
  readonly onDidEndCommand: Event<EndedCommand>;
}

export interface TerminalEntry {
  readonly id: string;
  readonly name: string;
  readonly hasShellIntegration: boolean;
}

export interface TerminalCommand {
  readonly terminalId: string;
  readonly command: string;
  /** Client path of the folder it ran in. */
  readonly cwd?: string | undefined;
  /** None while it runs, and when the shell did not tell. */
  readonly exitCode?: number | undefined;
  readonly isRunning: boolean;
  /** Without control sequences; the beginning is cut when it was too long. */
  readonly output: string;
  readonly isCut: boolean;
  readonly startedAt: number;
}

export interface EndedCommand extends TerminalCommand {
  /** The folder as an absolute path, for those who read report files. */
  readonly cwdPath?: string | undefined;
  readonly endedAt: number;
}
