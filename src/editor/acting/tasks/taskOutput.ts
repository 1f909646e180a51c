import type * as vscode from 'vscode';
import { readPieces } from '../../shared/readPieces.ts';

/** The most characters that are kept of a terminal until it is known whether the task runs in it. */
const maxUnclaimedCharacters = 256 * 1024;

type Started = Pick<vscode.TerminalShellExecution, 'read'>;
type InTerminal = Pick<vscode.Terminal, 'processId'>;

interface Follower {
  readonly terminal: InTerminal;
  readonly pieces: string[];
  size: number;
  owner: 'unknown' | 'task' | 'other';
  reading: Promise<void>;
}

/**
 * What a task writes. VS Code does not say which terminal is a task's, but which process is, and a terminal says which process
 * it runs. Its name says nothing: anybody can name a terminal.
 */
export class TaskOutput {
  readonly #onOutput: (text: string) => void;
  readonly #followers = new Set<Follower>();
  #processId: number | undefined;

  constructor(onOutput: (text: string) => void) {
    this.#onOutput = onOutput;
  }

  /** Takes the process that the task runs in, which VS Code often tells after the task began to write. */
  async belongsTo(processId: number): Promise<void> {
    this.#processId = processId;
    await Promise.all([...this.#followers].map((follower) => this.#claim(follower)));
  }

  /** Reads what a command in a terminal writes, from now on: what was written before is lost. */
  follow(terminal: InTerminal, execution: Started): void {
    const follower: Follower = { terminal, pieces: [], size: 0, owner: 'unknown', reading: Promise.resolve() };
    this.#followers.add(follower);
    const claimed = this.#claim(follower);
    const read = readPieces(execution.read(), (piece) => this.#take(follower, piece));
    follower.reading = Promise.all([claimed, read]).then(() => undefined);
  }

  get hasAny(): boolean {
    return [...this.#followers].some(({ owner }) => owner === 'task');
  }

  /** The promise resolves once the terminal of the task has no more to say. */
  async drained(): Promise<void> {
    await Promise.all([...this.#followers].filter(({ owner }) => owner !== 'other').map(({ reading }) => reading));
  }

  async #claim(follower: Follower): Promise<void> {
    const wanted = this.#processId;
    if (wanted === undefined || follower.owner !== 'unknown') {
      return;
    }
    const isOwn = (await follower.terminal.processId) === wanted;
    follower.owner = isOwn ? 'task' : 'other';
    // The pieces are taken out at once, because two claims may be under way at the same time.
    const pieces = follower.pieces.splice(0);
    if (isOwn) {
      pieces.forEach((piece) => this.#onOutput(piece));
    } else {
      this.#followers.delete(follower);
    }
  }

  #take(follower: Follower, piece: string): void {
    if (follower.owner === 'task') {
      this.#onOutput(piece);
    } else if (follower.owner === 'unknown' && follower.size < maxUnclaimedCharacters) {
      follower.size += piece.length;
      follower.pieces.push(piece);
    }
  }
}
