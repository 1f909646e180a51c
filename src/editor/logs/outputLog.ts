// logs/: what is logged, in VS Code's output: Duplex's own channel (this file) and one for each server.
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { logLevels, type Log, type LogLevel } from '../../base/log.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';

/**
 * A log in an output channel, with the level of Duplex's own setting: VS Code's log channels have a level that no setting
 * reaches.
 */
export class OutputLog implements Log, Disposable {
  readonly #channel: vscode.OutputChannel;
  readonly #level: () => LogLevel;

  constructor(name: string, level: () => LogLevel) {
    this.#channel = vscode.window.createOutputChannel(name, 'log');
    this.#level = level;
  }

  trace(message: string): void {
    this.#write('trace', message);
  }
  debug(message: string): void {
    this.#write('debug', message);
  }
  info(message: string): void {
    this.#write('info', message);
  }
  warn(message: string): void {
    this.#write('warn', message);
  }
  error(message: string, error?: unknown): void {
    const cause = error instanceof Error ? (error.stack ?? error.message) : error;
    this.#write('error', cause === undefined ? message : `${message}\n${messageOf(cause)}`);
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }

  #write(level: LogLevel, message: string): void {
    if (logLevels.indexOf(level) <= logLevels.indexOf(this.#level())) {
      // A text from outside is indented and shows invisible characters, so that it cannot pass for another entry.
      const shown = revealInvisible(message).replaceAll('\n', '\n  ');
      this.#channel.appendLine(`${new Date().toISOString()} [${level}] ${shown}`);
    }
  }
}
