import type { RunChain } from '../../../testRuns/chain/runChain.ts';
import type { TextRange } from './documentsPort.ts';

/** Changes and runs that a client may ask for. Every change of text is reviewed by the person before it happens. */
export interface ActingPort {
  /** Shows a file without taking the keyboard away from where the person types. */
  openFile(request: OpenFileRequest): Promise<void>;
  /** Never waits for the person. Throws `editor.tooManyMessages` when a client says too much. */
  showMessage(author: Author, level: MessageLevel, message: string): void;
  /** Opens one review for all files and settles with its answer. Rejects when a text is no longer what was meant. */
  proposeEdits(proposal: EditsProposal, signal: AbortSignal): Promise<EditsReview>;
  /** The version of what is unsaved, none when nothing is. Rejects when there is nothing that could be saved. */
  checkSave(path: string): Promise<number | undefined>;
  /** Saves exactly that; rejects with `editor.changedBeforeSaving` when the text is another one by now. */
  save(path: string, version: number | undefined): Promise<void>;
  formatDocument(request: { readonly path: string }, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview>;
  renameSymbol(request: RenameRequest, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview>;
  /** By its exact title; rejects with `editor.noCodeAction`. */
  findCodeAction(request: CodeActionRequest): Promise<FoundCodeAction>;
  /** Runs `found.command` only if it still is the action's command. */
  applyCodeAction(request: CodeActionRequest, found: FoundCodeAction, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview>;
  /** Rejects with `editor.noTask`. */
  findTask(name: string): Promise<FoundTask>;
  /** Runs exactly `task`; rejects with `editor.taskChanged` when it is defined differently by now. */
  startTask(task: FoundTask, onOutput: (text: string) => void): Promise<RunningTask>;
  /** The absolute folder a command would run in, where links really lead: a folder of the workspace, or the first one. */
  commandFolder(cwd: string | undefined): Promise<string>;
  /** Settles once the command runs in a terminal; rejects with `editor.noShellIntegration` when it cannot be followed there. */
  startCommand(request: CommandRequest, signal: AbortSignal): Promise<RunningCommand>;
}

/** On whose behalf. The name is shown to the person and is never an identity. */
export interface Author {
  readonly credentialId: string;
  readonly name: string;
  /** Of a call that Duplex's own surfaces make: they are told what it changed. */
  readonly ownCallId?: string | undefined;
}

export type MessageLevel = 'info' | 'warning' | 'error';

export interface OpenFileRequest {
  readonly path: string;
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly preview: boolean;
}

/** Who wants a change, why, and what it must not do. */
export interface ChangeOrigin {
  readonly author: Author;
  readonly description?: string | undefined;
  readonly guard?: ChangeGuard | undefined;
}

export interface ChangeGuard {
  /** Edits of other files are left out. */
  mayTouch(path: string): boolean;
  /** Whether this text must not replace that one: it would write over what was withheld. */
  losesWithheld(before: string, after: string): Promise<boolean>;
  /** The text with `hiddenCharacter` for each one that is withheld: what a client looks for is not found there. */
  hideWithheld(text: string): Promise<string>;
}

export interface RangeEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** `oldText` occurs once, or everywhere it occurs is meant. */
export interface ReplacedText {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
}

export type TextEdit = RangeEdit | ReplacedText;

/** The whole new text, or changes of the text as it is. */
export type WantedText = { readonly newText: string } | { readonly edits: readonly TextEdit[] };

/** What is to become of a file. */
export type WantedChange =
  | ({ readonly kind: 'text' } & WantedText)
  /** In a notebook, from 0. */
  | ({ readonly kind: 'cell'; readonly cell: number } & WantedText)
  | { readonly kind: 'move'; readonly moveTo: string; readonly text?: WantedText | undefined }
  | { readonly kind: 'delete' };

export interface FileProposal {
  readonly path: string;
  readonly change: WantedChange;
  readonly expectedVersion?: string | undefined;
}

export interface EditsProposal extends ChangeOrigin {
  /** At least one, and each file once. */
  readonly files: readonly FileProposal[];
  /** Whether the person is offered to save at once. */
  readonly save: boolean;
}

export type ReviewOutcome = 'accepted' | 'partlyAccepted' | 'rejected';

export interface EditsReview {
  /** In the order of the proposal. */
  readonly files: readonly FileReview[];
  /** Only when rejected, and only if the person gave one. */
  readonly reason?: string | undefined;
}

export interface FileReview {
  /** Where it is now. */
  readonly path: string;
  readonly outcome: ReviewOutcome;
  /** As it is now, where that is another text than the proposed one. */
  readonly text?: string | undefined;
  /** Empty when there is no such file any more. */
  readonly version: string;
  readonly isSaved: boolean;
}

export interface ChangeReview {
  readonly outcome: ReviewOutcome;
  readonly reason?: string | undefined;
  /** Client paths of the files that were changed. */
  readonly files: readonly string[];
  /** A sentence for the client when there was nothing to change. */
  readonly note?: string | undefined;
}

export interface RenameRequest {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  readonly newName: string;
}

export interface CodeActionRequest {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly title: string;
}

export interface FoundCodeAction {
  /** The command and its arguments, whole, as the person is shown it. */
  readonly command?: string | undefined;
}

export interface FoundTask {
  readonly name: string;
  /** Everything that decides what runs, whole, as the person is shown it. */
  readonly definition: string;
  /** The scripts that run with it and with the tasks before it, and what of it cannot be known. */
  readonly chain: RunChain;
  readonly commandLine?: string | undefined;
  /** Absolute. */
  readonly cwd?: string | undefined;
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
  /** False when VS Code did not let the output be read. */
  readonly hadOutput: boolean;
}

export interface CommandRequest {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly author: Author;
}

export interface RunningCommand {
  /** Never rejects. */
  readonly ended: Promise<{ readonly exitCode?: number | undefined }>;
  /** Plain text so far, within bounds. */
  output(): string;
  /** As Ctrl+C does. */
  interrupt(): void;
}
