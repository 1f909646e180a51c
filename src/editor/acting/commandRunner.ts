import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { editorError } from '../shared/editorErrors.ts';
import type { CommandRequest, RunningCommand } from '../../server/seen/ports/actingPort.ts';
import { PlainTextStream } from '../../base/terminalText.ts';
import { BoundedText } from '../../base/boundedText.ts';
import { readPieces } from '../shared/readPieces.ts';
import type { NoticePort } from './actingViews.ts';

/** The longest wait, in ms, for shell integration: shells with slow start files take their time. */
const integrationMs = 15_000;
/** The longest wait, in ms, between shell integration and the first prompt. */
const promptMs = 3_000;
const lastOutputMs = 1_000;
const headLimit = 50_000;
const tailLimit = 150_000;
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/;

/**
 * Runs clients' commands in terminals of their own. Each has a fresh shell, so that the folder and the command are those the
 * person saw.
 */
export class CommandRunner implements Disposable {
  readonly #notices: NoticePort;
  readonly #lifetime = new DisposableStore();
  /** The last terminal of each client stays, to be looked at, until its next command. */
  readonly #finished = new Map<string, vscode.Terminal>();

  constructor(notices: NoticePort) {
    this.#notices = notices;
    this.#lifetime.add(vscode.window.onDidCloseTerminal((closed) => this.#forget(closed)));
  }

  async start({ command, cwd, author }: CommandRequest, signal: AbortSignal): Promise<RunningCommand> {
    if (controls.test(command)) {
      throw editorError('editor.badCommand');
    }
    this.#finished.get(author.credentialId)?.dispose();
    this.#finished.delete(author.credentialId);
    const terminal = vscode.window.createTerminal({ name: this.#notices.terminalName(author), cwd, isTransient: true });
    terminal.show(true);
    const integration = await shellIntegrationOf(terminal, signal);
    if (integration === undefined || signal.aborted) {
      terminal.dispose();
      signal.throwIfAborted();
      throw editorError('editor.noShellIntegration');
    }
    const running = this.#lifetime.add(new TerminalCommand(terminal, integration, command));
    void running.ended.then(() => {
      this.#lifetime.release(running);
      if (terminal.exitStatus === undefined) {
        this.#finished.set(author.credentialId, terminal);
      }
    });
    return running;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #forget(closed: vscode.Terminal): void {
    for (const [credentialId, terminal] of this.#finished) {
      if (terminal === closed) {
        this.#finished.delete(credentialId);
      }
    }
  }
}

class TerminalCommand implements RunningCommand, Disposable {
  readonly #terminal: vscode.Terminal;
  readonly #plain = new PlainTextStream();
  readonly #text = new BoundedText(headLimit, tailLimit);
  readonly #listening = new DisposableStore();
  readonly #reading: Promise<void>;
  readonly ended: RunningCommand['ended'];
  #isHeard = false;

  constructor(terminal: vscode.Terminal, integration: vscode.TerminalShellIntegration, command: string) {
    this.#terminal = terminal;
    const execution = integration.executeCommand(command);
    this.#reading = this.#read(execution);
    this.ended = new Promise((resolve) => {
      this.#listening.add(
        vscode.window.onDidEndTerminalShellExecution((event) => {
          if (event.execution === execution) {
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

  output(): string {
    return this.#text.read((leftOut) => `\n[… ${leftOut} characters left out …]\n`);
  }

  interrupt(): void {
    this.#terminal.sendText('\u0003', false);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #read(execution: vscode.TerminalShellExecution): Promise<void> {
    await readPieces(execution.read(), (piece) => {
      this.#isHeard = true;
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

/**
 * Waits until the shell stands at its first prompt, which is when it tells its folder. VS Code would take a command that is run
 * before that for ended when the prompt comes, and its output would be lost. A shell that never tells its folder is used after a
 * while; the result is `undefined` where there is no shell integration in time.
 */
function shellIntegrationOf(terminal: vscode.Terminal, signal: AbortSignal): Promise<vscode.TerminalShellIntegration | undefined> {
  const listening = new DisposableStore();
  const inTime = (action: () => void, delayMs: number): void => {
    const timer = setTimeout(action, delayMs);
    listening.add({ dispose: () => clearTimeout(timer) });
  };
  return new Promise<vscode.TerminalShellIntegration | undefined>((resolve) => {
    const giveUp = (): void => resolve(undefined);
    const look = (integration: vscode.TerminalShellIntegration | undefined): void => {
      if (integration?.cwd !== undefined) {
        resolve(integration);
      } else if (integration !== undefined) {
        inTime(() => resolve(integration), promptMs);
      }
    };
    inTime(giveUp, integrationMs);
    signal.addEventListener('abort', giveUp, { once: true });
    listening.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
    listening.add(
      vscode.window.onDidChangeTerminalShellIntegration((event) => event.terminal === terminal && look(event.shellIntegration)),
    );
    listening.add(vscode.window.onDidCloseTerminal((closed) => closed === terminal && giveUp()));
    look(terminal.shellIntegration);
  }).finally(() => listening.dispose());
}
