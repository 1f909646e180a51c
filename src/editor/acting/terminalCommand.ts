import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { BoundedText } from '../../base/boundedText.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { PlainTextStream } from '../../base/terminalText.ts';
import type { RunningCommand } from '../../server/seen/ports/actingPort.ts';
import { readPieces } from '../shared/readPieces.ts';

/** How long, in ms, after the end of a command its output may still come. */
const lastOutputMs = 1_000;
const headLimit = 50_000;
const tailLimit = 150_000;

let lastId = 0;

/** A client's command in a terminal, from its start on, with what it writes. */
export class TerminalCommand implements RunningCommand, Disposable {
  readonly id = String((lastId += 1));
  readonly command: string;
  readonly ended: RunningCommand['ended'];
  readonly #terminal: vscode.Terminal;
  readonly #execution: vscode.TerminalShellExecution;
  readonly #plain = new PlainTextStream();
  readonly #text = new BoundedText(headLimit, tailLimit);
  readonly #listening = new DisposableStore();
  readonly #reading: Promise<void>;
  #isHeard = false;
  #changes = 0;

  constructor(terminal: vscode.Terminal, integration: vscode.TerminalShellIntegration, command: string) {
    this.command = command;
    this.#terminal = terminal;
    const execution = integration.executeCommand(command);
    this.#execution = execution;
    this.#reading = this.#read(execution);
    this.ended = new Promise((resolve) => {
      this.#listening.add(
        vscode.window.onDidEndTerminalShellExecution((event) => {
          if (event.execution === execution) {
            this.#changes += 1; // whoever waits for more is told of the end next
            void this.#drain().then(() => resolve(this.#describeEnd(event.exitCode)));
          }
        }),
      );
      this.#listening.add(
        vscode.window.onDidCloseTerminal((closed) => {
          if (closed === terminal) {
            resolve({});
          }
        }),
      );
    });
  }

  isIn(execution: vscode.TerminalShellExecution): boolean {
    return execution === this.#execution;
  }

  /** With the line that is not finished yet, which may be a question such as `Name? `. */
  output(since?: number): string {
    const lines = this.#text.read((leftOut) => `\n[… ${leftOut} characters left out …]\n`, since);
    return lines + this.#plain.unfinished;
  }

  position(): number {
    return this.#text.total;
  }

  writes(): number {
    return this.#changes;
  }

  type(text: string): void {
    this.#terminal.sendText(text.replace(/\r?\n/g, '\r'), false);
  }

  interrupt(): void {
    this.type('\u0003');
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #read(execution: vscode.TerminalShellExecution): Promise<void> {
    await readPieces(execution.read(), (piece) => {
      this.#isHeard = true;
      this.#changes += 1;
      this.#text.append(this.#plain.push(piece));
    });
    this.#text.append(this.#plain.end());
  }

  #describeEnd(exitCode: number | undefined): Awaited<RunningCommand['ended']> {
    return { ...(exitCode !== undefined && { exitCode }), ...(!this.#isHeard && { isUnheard: true }) };
  }

  async #drain(): Promise<void> {
    await atMost(this.#reading, lastOutputMs);
  }
}
