// processes/: local servers as processes. They belong to the supervisor, a process of its own; this file is the host's end of its pipe.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { FrameDecoder, encodeFrame, fromSupervisor, type ToSupervisor } from '../../contract/supervisorMessages.ts';
import { killGroup } from '../../platform/processTable.ts';
import { hostError } from '../shared/hostErrors.ts';
import { SupervisedChild } from './supervisedChild.ts';

export interface SupervisorLaunch {
  /** `process.execPath`, with the bundle as argument and `ELECTRON_RUN_AS_NODE=1`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ChildSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

type SupervisorProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** A supervisor stops its servers in under 3 s and gives up by itself after 3.5. */
const stopMs = 3_700;

/** Starts the supervisor with the first server and again after it died; holds this window's end of its pipe. */
export class SupervisorClient implements Disposable {
  readonly #launch: SupervisorLaunch;
  readonly #log: Log;
  #current: RunningSupervisor | undefined;
  #count = 0;
  #isClosed = false;

  constructor(launch: SupervisorLaunch, log: Log) {
    this.#launch = launch;
    this.#log = log;
  }

  start(spec: ChildSpec): SupervisedChild {
    if (this.#isClosed) {
      throw hostError('host.shuttingDown');
    }
    if (this.#current === undefined || this.#current.hasEnded) {
      this.#current = new RunningSupervisor(this.#launch, this.#log);
    }
    this.#count += 1;
    return this.#current.start(`${this.#count}`, spec);
  }

  /** Ends every server and the supervisor; resolves within 4 s whatever they do. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await this.#current?.stop();
  }

  /** Without waiting: the supervisor sees its pipe close and ends its servers by itself. */
  dispose(): void {
    this.#isClosed = true;
    this.#current?.letGo();
  }
}

class RunningSupervisor {
  readonly #process: SupervisorProcess;
  readonly #log: Log;
  readonly #decoder = new FrameDecoder();
  readonly #children = new Map<string, SupervisedChild>();
  readonly #gone: Promise<void>;
  hasEnded = false;

  constructor(launch: SupervisorLaunch, log: Log) {
    this.#log = log;
    this.#process = spawn(launch.command, launch.args, {
      env: { ...launch.env },
      // A group of its own: a signal to the editor's group must not end it before it has ended the servers.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#gone = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.#onEnd(reason);
        resolve();
      };
      this.#process.once('error', (error) => end(messageOf(error)));
      this.#process.once('exit', (code, signal) => end(`code ${String(code)}, signal ${String(signal)}`));
    });
    this.#process.stdin.on('error', () => undefined); // its exit is the news
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => log.warn(`supervisor: ${text.slice(0, 2_000).trimEnd()}`));
  }

  start(name: string, spec: ChildSpec): SupervisedChild {
    const child = new SupervisedChild(name, (message, payload) => this.#send(message, payload));
    this.#children.set(name, child);
    void child.ended.then(() => this.#children.delete(name));
    this.#send({ type: 'start', child: name, command: spec.command, args: [...spec.args], env: { ...spec.env }, cwd: spec.cwd });
    return child;
  }

  async stop(): Promise<void> {
    this.letGo();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), stopMs);
    await this.#gone;
    clearTimeout(timer);
  }

  letGo(): void {
    this.#process.stdin.end();
  }

  #send(message: ToSupervisor, payload?: Uint8Array): void {
    if (!this.hasEnded && this.#process.stdin.writable) {
      encodeFrame(message, payload).forEach((piece) => this.#process.stdin.write(piece));
    }
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) {
        const message = fromSupervisor.parse(frame.header);
        this.#children.get(message.child)?.receive(message, frame.payload);
      }
    } catch (error) {
      this.#log.error('The supervisor sent something that is not a message; it is ended.', error);
      this.#process.kill('SIGTERM');
    }
  }

  #onEnd(reason: string): void {
    if (this.hasEnded) {
      return;
    }
    this.hasEnded = true;
    const left = [...this.#children.values()];
    if (left.length > 0) {
      this.#log.error(`The supervisor ended (${reason}) with ${left.length} servers running; they are ended too.`);
    }
    for (const child of left) {
      // What a killed supervisor left behind: its servers lead groups of their own.
      killGroup(child.pid);
      child.abandon();
    }
  }
}
