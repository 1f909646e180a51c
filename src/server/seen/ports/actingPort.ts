import type { RunChain } from '../../../testRuns/chain/runChain.ts';
import type { TextRange } from './documentsPort.ts';

/** The changes and runs that a client may ask for. The person reviews every change of text before it happens. */
export interface ActingPort {
  /** Shows a file without taking the keyboard away from where the person types. */
  openFile(request: OpenFileRequest): Promise<ShownFile>;
  /** Shows a notification without waiting for the person. Throws `editor.tooManyMessages` if a client sends too many. */
  showMessage(author: Author, level: MessageLevel, message: string): void;
  /** Opens one review for all files and resolves with its answer. Rejects if a text is no longer the one that was meant. */
  proposeEdits(proposal: EditsProposal, signal: AbortSignal): Promise<EditsReview>;
  /**
   * Returns the version of the unsaved text, or `undefined` if everything is saved. Rejects if there is no document that could be
   * saved.
   */
  checkSave(path: string): Promise<number | undefined>;
  /** Saves exactly this version; rejects with `editor.changedBeforeSaving` if the text has changed since then. */
  save(path: string, version: number | undefined): Promise<void>;
  formatDocument(request: { readonly path: string }, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview>;
  renameSymbol(request: RenameRequest, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview>;
  /** Finds a code action by its exact title; rejects with `editor.noCodeAction`. */
  findCodeAction(request: CodeActionRequest, guard?: ChangeGuard): Promise<FoundCodeAction>;
  /** Applies a code action; runs `found.command` only if it still is the command of the action. */
  applyCodeAction(request: CodeActionRequest, found: FoundCodeAction, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview>;
  /** Finds a task by its name, in one folder if its absolute path is given; rejects with `editor.noTask`. */
  findTask(name: string, folder?: string): Promise<FoundTask>;
  /**
   * Runs exactly this task; rejects with `editor.taskChanged` if its definition has changed since then. When `signal` fires before
   * it runs, it is not started, or ended at once.
   */
  startTask(task: FoundTask, onOutput: (text: string) => void, signal?: AbortSignal): Promise<RunningTask>;
  /**
   * Finds out where a client's command would run: in its terminal, where that stands, or in a new one in the first folder of the
   * workspace or in `cwd`. Rejects with `editor.terminalBusy` while a command runs there.
   */
  commandPlace(author: Author, cwd: string | undefined): Promise<CommandPlace>;
  /** Resolves once the command runs in a terminal; rejects with `editor.noShellIntegration` if it cannot be followed there. */
  startCommand(request: CommandRequest, signal: AbortSignal): Promise<RunningCommand>;
  /** The command of this client that runs now. */
  runningCommand(author: Author): RunningCommand | undefined;
  /** Closes what is left of a client that is gone: its terminal, and with it the command that runs there. */
  endClient(credentialId: string): void;
}

/** On whose behalf something is done. The name is shown to the person; it is never an identity. */
export interface Author {
  readonly credentialId: string;
  readonly name: string;
  /** The id of a call by the chat or another part of Duplex itself, which is told what the call changed. */
  readonly ownCallId?: string | undefined;
}

export type MessageLevel = 'info' | 'warning' | 'error';

export interface OpenFileRequest {
  readonly path: string;
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly preview: boolean;
}

export interface ShownFile {
  /** How many lines the file has, if it has not the line that was asked for: then its end is shown. */
  readonly lineCount?: number | undefined;
}

/** Who wants a change and why, and what the change must not do. */
export interface ChangeOrigin {
  readonly author: Author;
  readonly description?: string | undefined;
  readonly guard?: ChangeGuard | undefined;
}

export interface ChangeGuard {
  /** Whether a file may be changed; edits of other files are left out. */
  mayTouch(path: string): boolean;
  /** Whether the new text would write over something that is withheld from the client. */
  losesWithheld(before: string, after: string): Promise<boolean>;
  /** Replaces each withheld character by `hiddenCharacter`, so that the old text of an edit is never found there. */
  hideWithheld(text: string): Promise<string>;
}

export interface RangeEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** Replaces a text that occurs once, or with `replaceAll` everywhere. */
export interface ReplacedText {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
}

export type TextEdit = RangeEdit | ReplacedText;

/** The whole new text, or changes of the current text. */
export type WantedText = { readonly newText: string } | { readonly edits: readonly TextEdit[] };

/** What is to be done to a file. */
export type WantedChange =
  | ({ readonly kind: 'text' } & WantedText)
  /** A cell of a notebook; cells count from 0. */
  | ({ readonly kind: 'cell'; readonly cell: number } & WantedText)
  | { readonly kind: 'move'; readonly moveTo: string; readonly text?: WantedText | undefined }
  | { readonly kind: 'delete' };

export interface FileProposal {
  readonly path: string;
  readonly change: WantedChange;
  readonly expectedVersion?: string | undefined;
}

export interface EditsProposal extends ChangeOrigin {
  /** The files of the proposal: at least one, and each file once. */
  readonly files: readonly FileProposal[];
  /** Whether the person is offered to save right after accepting. */
  readonly save: boolean;
}

export type ReviewOutcome = 'accepted' | 'partlyAccepted' | 'rejected';

export interface EditsReview {
  /** The reviews in the order of the proposal. */
  readonly files: readonly FileReview[];
  /** Why the person rejected the proposal, if they said so. */
  readonly reason?: string | undefined;
}

export interface FileReview {
  /** The path of the file after the review. */
  readonly path: string;
  readonly outcome: ReviewOutcome;
  /** The text after the review, if it is not the proposed one. */
  readonly text?: string | undefined;
  /** The version of the text; empty if the file no longer exists. */
  readonly version: string;
  readonly isSaved: boolean;
  /** How many files moved with a folder; only of a folder. It has no version. */
  readonly movedFiles?: number | undefined;
}

export interface ChangeReview {
  readonly outcome: ReviewOutcome;
  readonly reason?: string | undefined;
  /** The client paths of the files that were changed. */
  readonly files: readonly string[];
  /** The client paths of those changed files that are not saved. */
  readonly unsaved?: readonly string[] | undefined;
  /** A sentence for the client if there was nothing to change. */
  readonly note?: string | undefined;
}

export interface RenameRequest {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  readonly newName: string;
  /** Whether the person is offered to save right after accepting. */
  readonly save?: boolean | undefined;
}

export interface CodeActionRequest {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly title: string;
}

export interface FoundCodeAction {
  /** The whole command with its arguments, as the person is shown it. */
  readonly command?: string | undefined;
}

export interface FoundTask {
  readonly name: string;
  /** Everything that decides what runs, complete, as the person is shown it. */
  readonly definition: string;
  /** The scripts that run with the task and with the tasks it depends on, and which of them cannot be known. */
  readonly chain: RunChain;
  readonly commandLine?: string | undefined;
  /** The absolute path of the folder it runs in. */
  readonly cwd?: string | undefined;
  /** The absolute path of the folder that it was looked for in. */
  readonly folder?: string | undefined;
  readonly isTest: boolean;
}

export interface RunningTask {
  /** Never rejects. */
  readonly ended: Promise<TaskEnd>;
  terminate(): void;
}

export interface TaskEnd {
  readonly exitCode?: number | undefined;
  readonly wasTerminated: boolean;
  /** Whether VS Code let the output be read. */
  readonly hadOutput: boolean;
}

export interface CommandPlace {
  /** The absolute path of the folder; with links resolved if the client asked for it. */
  readonly cwd: string;
  /** The shell and everything that settings say about it and its variables, as the person is shown it. */
  readonly terminal: string;
  /**
   * What ran in the terminal before, oldest first, and how many more there were before that. It is shown because the command starts
   * from what those left behind.
   */
  readonly earlier: readonly string[];
  readonly moreEarlier: number;
  /** Names the terminal as it is now: another one as soon as anything was run in it. */
  readonly state: string;
  /** Why the terminal that the client had is not used again. */
  readonly replaces?: 'closed' | 'otherFolder' | 'otherSettings' | undefined;
}

export interface CommandRequest {
  readonly command: string;
  /** Where the person allowed it to run, and nowhere else. */
  readonly place: CommandPlace;
  readonly author: Author;
}

export interface RunningCommand {
  readonly id: string;
  readonly command: string;
  /** Resolves when the command has ended and never rejects; `isUnheard` means the same as in a `TerminalCommand`. */
  readonly ended: Promise<{ readonly exitCode?: number | undefined; readonly isUnheard?: boolean }>;
  /** The output so far as plain text, within bounds, with the line that is not finished yet; or only what came after a position. */
  output(since?: number): string | Promise<string>;
  /** The position of the line that is written now. */
  position(): number;
  /** How often something was written so far; it counts the end, too, which is told a moment later. */
  writes(): number;
  /** Types a text, in which a line break is the key Enter. */
  type(text: string): void;
  /** Interrupts the command as Ctrl+C does. */
  interrupt(): void;
}
