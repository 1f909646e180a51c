// terminals/: commands that ran in terminals, with their output, as far as shell integration tells. This file is the port.
import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type { EndedCommand, WantedCommand, TerminalEntry, TerminalsPort } from '../../server/seen/ports/terminalsPort.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import { readPieces } from '../shared/readPieces.ts';
import { CommandHistory, CommandRecord } from './commandHistory.ts';

export function createEditorTerminals(): TerminalsPort & Disposable {
  const recorder = new CommandRecorder();
  return {
    listTerminals: () => recorder.listTerminals(),
    listCommands: (terminalId) => recorder.listCommands(terminalId),
    readOutput: ({ output }) => output,
    explainEmpty: (terminalId) => explainEmpty(recorder, terminalId),
    onDidChangeTerminal: recorder.onDidChangeTerminal,
    onDidChangeTerminals: recorder.onDidChangeTerminals,
    onDidEndCommand: recorder.onDidEndCommand,
    dispose: () => recorder.dispose(),
  };
}

function explainEmpty(recorder: CommandRecorder, terminalId: string | undefined): string {
  const limits = 'VS Code tells extensions only of commands that start after Duplex did, in terminals with shell integration.';
  const open = recorder.listTerminals().filter(({ id }) => terminalId === undefined || id === terminalId);
  if (vscode.window.terminals.length === 0) {
    return `No terminal is open. ${limits}`;
  }
  if (open.some(({ hasShellIntegration }) => hasShellIntegration)) {
    return `No command has been run yet. ${limits}`;
  }
  return `No open terminal has shell integration (it may still be starting, or the shell does not support it). ${limits}`;
}

/** Output comes in many small pieces; whoever watches is told at most once in this time, in ms. */
const burstMs = 250;

/** How long, in ms, after the end of a command its output may still come: VS Code tells the two apart. */
const drainMs = 1_000;

/** Records every command in terminals with shell integration, whoever ran it, and what it writes. */
class CommandRecorder implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #terminalChanged = this.#lifetime.add(new Emitter<string>());
  readonly #terminalsChanged = this.#lifetime.add(new Emitter<void>());
  readonly #commandEnded = this.#lifetime.add(new Emitter<EndedCommand>());
  readonly #ids = new WeakMap<vscode.Terminal, string>();
  readonly #names = new Map<string, string>();
  readonly #history = new CommandHistory();
  readonly #running = new Map<vscode.TerminalShellExecution, RunningCommand>();
  readonly #bursts = new Map<string, NodeJS.Timeout>();
  #lastId = 0;

  readonly onDidChangeTerminal = this.#terminalChanged.event;
  readonly onDidChangeTerminals = this.#terminalsChanged.event;
  readonly onDidEndCommand = this.#commandEnded.event;

  constructor() {
    const tellTerminals = (): void => this.#terminalsChanged.fire();
    this.#lifetime.add(vscode.window.onDidStartTerminalShellExecution((event) => this.#start(event)));
    this.#lifetime.add(vscode.window.onDidEndTerminalShellExecution((event) => void this.#end(event)));
    this.#lifetime.add(vscode.window.onDidOpenTerminal(tellTerminals));
    this.#lifetime.add(vscode.window.onDidChangeTerminalShellIntegration(tellTerminals));
    this.#lifetime.add(vscode.window.onDidCloseTerminal((terminal) => this.#close(terminal)));
    this.#lifetime.add(toDisposable(() => this.#bursts.forEach((timer) => clearTimeout(timer))));
  }

  listTerminals(): TerminalEntry[] {
    const open = vscode.window.terminals.map((terminal) => ({
      id: this.idOf(terminal),
      name: terminal.name,
      hasShellIntegration: terminal.shellIntegration !== undefined,
    }));
    const openIds = new Set(open.map(({ id }) => id));
    const closed = this.#history
      .terminalIds()
      .filter((id) => !openIds.has(id) && this.#history.has(id))
      .map((id) => ({ id, name: this.#names.get(id) ?? '', hasShellIntegration: true }));
    return [...closed, ...open];
  }

  listCommands(terminalId: string | undefined): WantedCommand[] {
    return this.#history.list(terminalId).map(describe);
  }

  /** The id of a terminal. Terminals are numbered in the order they were first seen. */
  idOf(terminal: vscode.Terminal): string {
    const known = this.#ids.get(terminal);
    if (known !== undefined) {
      return known;
    }
    const id = String((this.#lastId += 1));
    this.#ids.set(terminal, id);
    this.#names.set(id, terminal.name);
    return id;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #start({ terminal, execution, shellIntegration }: vscode.TerminalShellExecutionStartEvent): void {
    const id = this.idOf(terminal);
    // A shell tells its folder with its prompt, which may come after the first command.
    const cwd = execution.cwd ?? shellIntegration.cwd ?? (this.#history.has(id) ? undefined : firstFolder(terminal));
    const record = new CommandRecord(id, execution.commandLine.value, cwdOf(cwd));
    // `read` is called at once: what is written before is lost.
    const stream = execution.read();
    this.#history.add(record);
    this.#running.set(execution, { record, drained: this.#follow(record, stream) });
    this.#tell(record.terminalId);
  }

  async #follow(record: CommandRecord, stream: AsyncIterable<string>): Promise<void> {
    await readPieces(stream, (piece) => {
      record.append(piece);
      this.#tell(record.terminalId);
    });
  }

  async #end({ terminal, execution, exitCode }: vscode.TerminalShellExecutionEndEvent): Promise<void> {
    const running = this.#running.get(execution);
    if (running === undefined) {
      return; // the command began before Duplex was activated
    }
    this.#running.delete(execution);
    await atMost(running.drained, drainMs).catch(() => undefined);
    running.record.command = execution.commandLine.value; // some shells tell the command line only at its end
    this.#finish(running.record, exitCode);
    this.#history.trim(this.idOf(terminal));
  }

  #finish(record: CommandRecord, exitCode: number | undefined): void {
    record.exitCode = exitCode;
    record.isRunning = false;
    record.endedAt = Date.now();
    this.#tell(record.terminalId);
    this.#commandEnded.fire({ ...describe(record), cwdPath: record.cwd?.path, endedAt: record.endedAt });
  }

  #close(terminal: vscode.Terminal): void {
    const id = this.idOf(terminal);
    for (const [execution, { record }] of this.#running) {
      if (record.terminalId === id) {
        this.#running.delete(execution);
        this.#finish(record, undefined);
      }
    }
    this.#history.close(id);
    this.#terminalsChanged.fire();
  }

  #tell(terminalId: string): void {
    if (!this.#bursts.has(terminalId) && !this.#lifetime.isDisposed) {
      const timer = setTimeout(() => {
        this.#bursts.delete(terminalId);
        this.#terminalChanged.fire(terminalId);
      }, burstMs);
      this.#bursts.set(terminalId, timer);
    }
  }
}

interface RunningCommand {
  readonly record: CommandRecord;
  readonly drained: Promise<void>;
}

function describe(record: CommandRecord): WantedCommand {
  return {
    terminalId: record.terminalId,
    command: record.command,
    cwd: record.cwd?.clientPath,
    exitCode: record.exitCode,
    isRunning: record.isRunning,
    output: record.output,
    ...(!record.isRunning && !record.isHeard && { isUnheard: true }),
    isCut: record.isCut,
    startedAt: record.startedAt,
  };
}

function firstFolder({ creationOptions }: vscode.Terminal): vscode.Uri | undefined {
  const cwd = 'cwd' in creationOptions ? creationOptions.cwd : undefined;
  return typeof cwd === 'string' ? vscode.Uri.file(cwd) : cwd;
}

function cwdOf(cwd: vscode.Uri | undefined): CommandRecord['cwd'] {
  return cwd === undefined ? undefined : { clientPath: toClientPath(cwd), path: cwd.scheme === 'file' ? cwd.fsPath : undefined };
}
