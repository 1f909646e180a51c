// supervisor/: a small process of its own that watches the children of the host, so that none of them outlives the window: when
// its pipe to the extension host breaks, it ends their whole trees. It carries nothing: the host owns their pipes.
import type { Readable, Writable } from 'node:stream';
import {
  encodeMessage,
  type FromSupervisor,
  maxSupervisorLine,
  readToSupervisor,
  type ToSupervisor,
} from '../contract/supervisorMessages.ts';
import { endTree, killTreeNow, processEntry, type ProcessEntry, stillRuns, type TreeRoot } from '../platform/processes/processTree.ts';
import { LineSplitter } from '../platform/processes/lineSplitter.ts';

/** Knows the servers of one window. When the pipe to the window breaks, for whatever reason, it ends them. */
export class Supervisor {
  readonly #output: Writable;
  readonly #lines = new LineSplitter(maxSupervisorLine, 'fail');
  readonly #servers = new Map<string, WatchedServer>();
  #isBroken = false;
  #shutdown: Promise<void> | undefined;

  /** Resolves when the pipe is gone and no server is left. */
  readonly finished: Promise<void>;
  #markFinished!: () => void;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    this.finished = new Promise((resolve) => (this.#markFinished = resolve));
    const shutDown = (): void => void this.shutDown();
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    input.once('end', shutDown).once('close', shutDown).on('error', shutDown);
    output.on('error', () => {
      this.#isBroken = true;
      shutDown();
    });
  }

  shutDown(): Promise<void> {
    this.#shutdown ??= Promise.all([...this.#servers.values()].map((server) => server.end())).then(() => this.#markFinished());
    return this.#shutdown;
  }

  killNow(): void {
    this.#servers.forEach((server) => server.killNow());
  }

  #receive(chunk: Buffer): void {
    try {
      const { lines, tooLong } = this.#lines.push(chunk);
      lines.forEach((line) => this.#handle(readToSupervisor(line.toString('utf8'))));
      if (tooLong) {
        void this.shutDown();
      }
    } catch {
      void this.shutDown(); // the other end is not our window
    }
  }

  #handle(message: ToSupervisor): void {
    const { child } = message;
    const server = this.#servers.get(child);
    switch (message.type) {
      case 'expect':
        this.#servers.set(child, new WatchedServer(child, message.marker, (report) => this.#send(report)));
        break;
      case 'watch':
        server?.watch(message.pid);
        break;
      case 'forget':
        this.#servers.delete(child);
        break;
      case 'exited':
        server?.markExited();
        this.#end(child, server);
        break;
      case 'stop':
        this.#end(child, server);
        break;
    }
  }

  #end(child: string, server: WatchedServer | undefined): void {
    void server?.end().then(() => this.#servers.delete(child));
  }

  #send(message: FromSupervisor): void {
    if (!this.#isBroken && !this.#output.destroyed) {
      this.#output.write(encodeMessage(message));
    }
  }
}

/** One server of the extension host, and how it is ended with everything it started. */
class WatchedServer {
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

  /** Remembers more than the process id, because the system reuses ids. */
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
