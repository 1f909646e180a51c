import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Author, CommandPlace, CommandRequest, RunningCommand } from '../../server/seen/ports/actingPort.ts';
import { editorError } from '../shared/editorErrors.ts';
import type { NoticePort } from './actingViews.ts';
import { TerminalCommand } from './terminalCommand.ts';

/** The longest wait, in ms, for shell integration: shells with slow start files take their time. */
const integrationMs = 15_000;
/** The longest wait, in ms, between shell integration and the first prompt. */
const promptMs = 3_000;
/** How long, in ms, after the end of a command its shell may take to tell its folder. */
const folderMs = 300;
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/;

/** The folder that a client asked for, and what settings say about terminals now. */
export interface WantedPlace {
  /** The absolute path, with links resolved; without it the command runs where the terminal stands. */
  readonly asked: string | undefined;
  /** Where a new terminal opens if no folder was asked for. */
  readonly usual: string;
  readonly terminal: string;
}

/**
 * Runs clients' commands, each client's in one terminal that is used again: what a command left behind is there for the next one.
 * So the person is shown the folder of the terminal and what ran in it, and it is used only as long as it is what settings say
 * now. Where another folder is asked for, a new terminal opens.
 */
export class CommandRunner implements Disposable {
  readonly #notices: NoticePort;
  readonly #lifetime = new DisposableStore();
  /** The terminals by the id of the client's credential. */
  readonly #terminals = new Map<string, ClientTerminal>();
  /** The clients whose terminal was closed since their last command. */
  readonly #closed = new Set<string>();

  constructor(notices: NoticePort) {
    this.#notices = notices;
    const { window } = vscode;
    this.#lifetime.add(window.onDidCloseTerminal((closed) => this.#forget(closed)));
    this.#lifetime.add(window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#of(terminal)?.didStart(execution)));
    this.#lifetime.add(window.onDidEndTerminalShellExecution(({ terminal, execution }) => this.#of(terminal)?.didEnd(execution)));
  }

  /** Finds out where a command would run; rejects with `editor.terminalBusy` while another one runs there. */
  async place({ credentialId }: Author, { asked, usual, terminal }: WantedPlace): Promise<CommandPlace> {
    const anew = (replaces: CommandPlace['replaces']): CommandPlace => ({
      cwd: asked ?? usual,
      terminal,
      earlier: [],
      moreEarlier: 0,
      state: 'new',
      ...(replaces !== undefined && { replaces }),
    });
    const used = this.#terminals.get(credentialId);
    if (used === undefined) {
      return anew(this.#closed.has(credentialId) ? 'closed' : undefined);
    }
    used.demandIdle();
    if (used.description !== terminal) {
      return anew('otherSettings');
    }
    const cwd = await used.folder();
    used.demandIdle();
    // Of a shell that does not tell its folder nobody knows where the next command would run.
    if (cwd === undefined || (asked !== undefined && (await realpath(cwd).catch(() => undefined)) !== asked)) {
      return anew('otherFolder');
    }
    return { cwd, terminal, ...used.earlier(), state: used.state };
  }

  async start({ command, place, author }: CommandRequest, signal: AbortSignal): Promise<RunningCommand> {
    if (controls.test(command)) {
      throw editorError('editor.badCommand');
    }
    const used = this.#terminals.get(author.credentialId);
    used?.demandIdle();
    if (place.state !== 'new' && used?.state !== place.state) {
      throw editorError('editor.terminalChanged');
    }
    const isNew = place.state === 'new' || used === undefined;
    const running = await (isNew ? this.#open(author, place) : used).start(command, signal);
    if (running === undefined) {
      if (isNew) {
        this.endClient(author.credentialId);
      }
      signal.throwIfAborted();
      throw editorError('editor.noShellIntegration');
    }
    return running;
  }

  running({ credentialId }: Author): RunningCommand | undefined {
    return this.#terminals.get(credentialId)?.running;
  }

  /** Closes the terminal of a client that is gone; a command that runs in it is ended with it, as when a person closes it. */
  endClient(credentialId: string): void {
    const own = this.#terminals.get(credentialId);
    this.#terminals.delete(credentialId);
    this.#closed.delete(credentialId);
    own?.terminal.dispose();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #open(author: Author, { cwd, terminal: description }: CommandPlace): ClientTerminal {
    this.endClient(author.credentialId);
    const terminal = vscode.window.createTerminal({ name: this.#notices.terminalName(author), cwd, isTransient: true });
    const own = new ClientTerminal(terminal, description);
    this.#terminals.set(author.credentialId, own);
    return own;
  }

  #of(terminal: vscode.Terminal): ClientTerminal | undefined {
    return [...this.#terminals.values()].find((own) => own.terminal === terminal);
  }

  #forget(closed: vscode.Terminal): void {
    for (const [credentialId, { terminal }] of this.#terminals) {
      if (terminal === closed) {
        this.#terminals.delete(credentialId);
        this.#closed.add(credentialId);
      }
    }
  }
}

/** The most commands that are shown of what ran before in a terminal. */
const maxEarlier = 30;
/** The most characters that are shown of a command that ran before in a terminal; the rest is cut. */
const maxEarlierCharacters = 1_000;

let lastTerminal = 0;

/** The terminal of one client. Its person may use it, too: what they ran in it counts like any command, and is waited for. */
class ClientTerminal {
  readonly terminal: vscode.Terminal;
  /** The shell and everything that settings said about it when it opened. */
  readonly description: string;
  readonly #number = (lastTerminal += 1);
  readonly #ran: string[] = [];
  /** Commands that somebody else started here and that still run. */
  readonly #others = new Set<vscode.TerminalShellExecution>();
  #count = 0;
  #endedAt = -Infinity;
  #isStarting = false;
  #running: TerminalCommand | undefined;

  constructor(terminal: vscode.Terminal, description: string) {
    this.terminal = terminal;
    this.description = description;
  }

  /** A text for the state of the terminal: another one after every command. */
  get state(): string {
    return `${this.#number}.${this.#count}`;
  }

  get running(): TerminalCommand | undefined {
    return this.#running;
  }

  earlier(): Pick<CommandPlace, 'earlier' | 'moreEarlier'> {
    return { earlier: [...this.#ran], moreEarlier: this.#count - this.#ran.length };
  }

  demandIdle(): void {
    if (this.#isStarting || this.#running !== undefined || this.#others.size > 0) {
      throw editorError('editor.terminalBusy');
    }
  }

  /** The folder in which the shell stands, which it tells just after each command; `undefined` where it does not. */
  async folder(): Promise<string | undefined> {
    const rest = this.#endedAt + folderMs - performance.now();
    if (rest > 0) {
      await sleep(rest);
    }
    const cwd = this.terminal.shellIntegration?.cwd;
    return cwd?.scheme === 'file' ? cwd.fsPath : undefined;
  }

  /** Runs a command; `undefined` where there is no shell integration in time. */
  async start(command: string, signal: AbortSignal): Promise<TerminalCommand | undefined> {
    this.#isStarting = true;
    try {
      this.terminal.show(true);
      const integration = await shellIntegrationOf(this.terminal, signal);
      if (integration === undefined || signal.aborted) {
        return undefined;
      }
      this.#note(command);
      const running = new TerminalCommand(this.terminal, integration, command);
      this.#running = running;
      void running.ended.then(() => {
        running.dispose();
        this.#running = undefined;
        this.#endedAt = performance.now();
      });
      return running;
    } finally {
      this.#isStarting = false;
    }
  }

  didStart(execution: vscode.TerminalShellExecution): void {
    if (this.#running?.isIn(execution) !== true) {
      this.#others.add(execution);
    }
  }

  /** Some shells tell the command line of what a person ran only at its end. */
  didEnd(execution: vscode.TerminalShellExecution): void {
    if (this.#others.delete(execution)) {
      this.#note(execution.commandLine.value);
      this.#endedAt = performance.now();
    }
  }

  #note(command: string): void {
    this.#count += 1;
    this.#ran.push(command.length > maxEarlierCharacters ? `${command.slice(0, maxEarlierCharacters)}…` : command);
    if (this.#ran.length > maxEarlier) {
      this.#ran.shift();
    }
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
