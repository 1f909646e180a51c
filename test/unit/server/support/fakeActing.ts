import type {
  ActingPort,
  Author,
  ChangeOrigin,
  ChangeReview,
  CodeActionRequest,
  CommandPlace,
  CommandRequest,
  EditsProposal,
  EditsReview,
  FileReview,
  FoundCodeAction,
  FoundTask,
  MessageLevel,
  OpenFileRequest,
  RenameRequest,
  RunningCommand,
  RunningTask,
  TaskEnd,
} from '../../../../src/server/seen/ports/actingPort.ts';

/** An editor whose person has already made up their mind; it keeps what it was asked to do. */
export class FakeActing implements ActingPort {
  readonly done: unknown[] = [];
  /** Of every file of a proposal, but for its path. */
  fileReview: Omit<FileReview, 'path'> = { outcome: 'accepted', version: 'v4', isSaved: false };
  rejectedWith: string | undefined;
  changeReview: ChangeReview = { outcome: 'accepted', files: ['src/a.ts', 'src/b.ts'] };
  codeAction: FoundCodeAction = {};
  task: FoundTask = {
    name: 'build',
    definition: '{"runs":"make"}',
    chain: { steps: [], unknown: [] },
    commandLine: 'make',
    cwd: '/demo',
    isTest: false,
  };
  taskEnd: Promise<TaskEnd> = Promise.resolve({ exitCode: 0, wasTerminated: false, hadOutput: true });
  taskOutput = '\u001B[31mmade\u001B[0m\n';
  commandEnd: Promise<{ readonly exitCode?: number }> = Promise.resolve({ exitCode: 3 });
  commandOutput = 'token=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n';
  unsavedVersion: number | undefined = 3;
  terminal = '/bin/sh';
  /** What ran before in the terminal of the client. */
  earlier: readonly string[] = [];
  replacing: Pick<CommandPlace, 'replaces'> = {};
  running: RunningCommand | undefined;
  /** Where a folder of the workspace really is. */
  folderOf: (cwd: string) => string = (cwd) => `/demo/${cwd}`;
  /** Takes the place of the ready review. */
  review: ((proposal: EditsProposal, signal: AbortSignal) => Promise<EditsReview>) | undefined;

  /** The number of lines that is told, when one behind them is asked for. */
  lineCount: number | undefined;

  openFile(request: OpenFileRequest): Promise<{ readonly lineCount: number | undefined }> {
    this.done.push(['open', request]);
    return Promise.resolve({ lineCount: this.lineCount });
  }

  showMessage(author: Author, level: MessageLevel, message: string): void {
    this.done.push(['message', author, level, message]);
  }

  proposeEdits(proposal: EditsProposal, signal: AbortSignal): Promise<EditsReview> {
    this.done.push(['propose', proposal]);
    const files = proposal.files.map(({ path, change }) => ({
      path: change.kind === 'move' && this.fileReview.outcome !== 'rejected' ? change.moveTo : path,
      ...this.fileReview,
    }));
    const reason = this.rejectedWith;
    return this.review?.(proposal, signal) ?? Promise.resolve({ files, ...(reason !== undefined && { reason }) });
  }

  checkSave(path: string): Promise<number | undefined> {
    this.done.push(['checkSave', path]);
    return Promise.resolve(this.unsavedVersion);
  }

  save(path: string, version: number | undefined): Promise<void> {
    this.done.push(['save', path, version]);
    return Promise.resolve();
  }

  formatDocument(request: { readonly path: string }, origin: ChangeOrigin): Promise<ChangeReview> {
    this.done.push(['format', request, origin]);
    return Promise.resolve(this.changeReview);
  }

  renameSymbol(request: RenameRequest, origin: ChangeOrigin): Promise<ChangeReview> {
    this.done.push(['rename', request, origin]);
    return Promise.resolve(this.changeReview);
  }

  findCodeAction(request: CodeActionRequest): Promise<FoundCodeAction> {
    this.done.push(['findCodeAction', request]);
    return Promise.resolve(this.codeAction);
  }

  applyCodeAction(request: CodeActionRequest, found: FoundCodeAction, origin: ChangeOrigin): Promise<ChangeReview> {
    this.done.push(['applyCodeAction', request, found, origin]);
    return Promise.resolve(this.changeReview);
  }

  findTask(name: string): Promise<FoundTask> {
    this.done.push(['findTask', name]);
    return Promise.resolve(this.task);
  }

  startTask(task: FoundTask, onOutput: (text: string) => void): Promise<RunningTask> {
    this.done.push(['startTask', task.definition]);
    onOutput(this.taskOutput);
    return Promise.resolve({ ended: this.taskEnd, terminate: () => this.done.push(['terminate']) });
  }

  commandPlace(_author: Author, cwd: string | undefined): Promise<CommandPlace> {
    const place = { cwd: cwd === undefined ? '/demo' : this.folderOf(cwd), terminal: this.terminal };
    return Promise.resolve({ ...place, earlier: this.earlier, moreEarlier: 0, state: `1.${this.earlier.length}`, ...this.replacing });
  }

  startCommand(request: CommandRequest): Promise<RunningCommand> {
    this.done.push(['startCommand', request]);
    this.running = this.commandOf(request.command);
    return Promise.resolve(this.running);
  }

  runningCommand(): RunningCommand | undefined {
    return this.running;
  }

  endClient(credentialId: string): void {
    this.done.push(['endClient', credentialId]);
  }

  /** A command as it runs in a terminal; what it writes is `commandOutput`, which tests change. */
  commandOf(command: string, id = '1'): RunningCommand {
    return {
      id,
      command,
      ended: this.commandEnd,
      output: (since = 0) => this.commandOutput.slice(since),
      position: () => this.commandOutput.lastIndexOf('\n') + 1,
      writes: () => this.commandOutput.length,
      type: (text) => void this.done.push(['type', text]),
      interrupt: () => void this.done.push(['interrupt']),
    };
  }
}
