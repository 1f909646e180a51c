// supervisor/: a small process of its own that owns the children of the host, so that none of them outlives the window: when
// its pipe to the extension host breaks, it ends their whole trees. This file keeps them by number.
import type { Readable, Writable } from 'node:stream';
import { FrameDecoder, encodeFrame, toSupervisor, type FromSupervisor, type ToSupervisor } from '../contract/supervisorMessages.ts';
import { startProcess, type SupervisedProcess } from './childProcess.ts';

/** Owns the servers of one window. When the window's pipe breaks, whatever the reason, they end with it. */
export class Supervisor {
  readonly #output: Writable;
  readonly #decoder = new FrameDecoder();
  readonly #children = new Map<string, SupervisedProcess>();
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
    output.on('drain', () => this.#children.forEach((child) => child.resumeOutput()));
  }

  shutDown(): Promise<void> {
    this.#shutdown ??= Promise.all([...this.#children.values()].map((child) => child.stop())).then(() => this.#markFinished());
    return this.#shutdown;
  }

  killNow(): void {
    this.#children.forEach((child) => child.killNow());
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) {
        this.#handle(toSupervisor.parse(frame.header), frame.payload);
      }
    } catch {
      void this.shutDown(); // not our window at the other end
    }
  }

  #handle(message: ToSupervisor, payload: Uint8Array): void {
    switch (message.type) {
      case 'start':
        if (this.#shutdown === undefined) {
          this.#start(message);
        }
        break;
      case 'write':
        this.#children.get(message.child)?.write(payload);
        break;
      case 'stop':
        void this.#children.get(message.child)?.stop();
        break;
    }
  }

  #start(message: Extract<ToSupervisor, { type: 'start' }>): void {
    const child = startProcess(message, (report, payload) => this.#send(report, payload));
    if (child !== undefined) {
      this.#children.set(message.child, child);
      void child.ended.then(() => this.#children.delete(message.child));
    }
  }

  #send(message: FromSupervisor, payload?: Uint8Array): void {
    if (this.#isBroken || this.#output.destroyed) {
      return;
    }
    const flows = encodeFrame(message, payload).map((piece) => this.#output.write(piece));
    if (flows.includes(false)) {
      // A window that does not keep up makes the servers wait instead of filling memory here.
      this.#children.forEach((child) => child.pauseOutput());
    }
  }
}
