import type { FromSupervisor } from '../contract/supervisorMessages.ts';
import { endTree, killTreeNow } from '../platform/endTree.ts';
import { processEntry, stillRuns, type ProcessEntry, type TreeRoot } from '../platform/processTable.ts';

/** A server of the extension host, and the end of everything it started. */
export class WatchedServer {
  readonly #name: string;
  readonly #marker: string;
  readonly #report: (message: FromSupervisor) => void;
  #pid = 0;
  #entry: ProcessEntry | undefined;
  #hasExited = false;
  #ended: Promise<void> | undefined;

  constructor(name: string, marker: string, report: (message: FromSupervisor) => void) {
    this.#name = name;
    this.#marker = marker;
    this.#report = report;
  }

  /** Its number alone does not name it: the system gives numbers out again. */
  watch(pid: number): void {
    this.#pid = pid;
    this.#entry = processEntry(pid);
  }

  markExited(): void {
    this.#hasExited = true;
  }

  /** Resolves when the process and its whole tree are gone. */
  end(): Promise<void> {
    this.#ended ??= this.#endTree();
    return this.#ended;
  }

  killNow(): void {
    killTreeNow(this.#root());
  }

  async #endTree(): Promise<void> {
    const survivors = await endTree(this.#root(), () => this.#report({ type: 'closeInput', child: this.#name }));
    this.#report({ type: 'ended', child: this.#name, survivors });
  }

  #root(): TreeRoot {
    const hasExited = (): boolean => this.#hasExited || this.#entry === undefined || !stillRuns(this.#entry);
    return {
      pid: this.#pid,
      marker: this.#marker,
      get hasExited() {
        return hasExited();
      },
    };
  }
}
