// processes/: local servers as processes. Their pipes are the host's; the supervisor, a process of its own, watches them and ends
// what is left of them. This file is the host's end of its pipe.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import * as path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import {
  encodeMessage,
  type FromSupervisor,
  maxSupervisorLine,
  readFromSupervisor,
  type ToSupervisor,
} from '../../contract/supervisorMessages.ts';
import { LineSplitter } from '../../platform/processes/lineSplitter.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ChildSpec, ServerProcess } from './serverProcess.ts';
import { SupervisedChild } from './supervisedChild.ts';

export interface SupervisorLaunch {
  /** The path of VS Code's own Node (`process.execPath`); it needs `ELECTRON_RUN_AS_NODE=1` and the bundle as argument. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type SupervisorProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** A supervisor stops its servers in under 3 s and gives up by itself after 3.5 s; after this it is killed. */
const stopMs = 3_700;

/** A supervisor that dies is replaced, unless so many in a row died quickly. */
const maxQuickEnds = 3;
/** A supervisor that lived for less than this time, in ms, died quickly. */
const quickEndMs = 10_000;

/** Starts the supervisor with the first server, and again when it dies. Holds this window's end of its pipe. */
export class SupervisorClient implements Disposable {
  readonly #launch: SupervisorLaunch;
  readonly #log: Log;
  readonly #children = new Map<string, SupervisedChild>();
  #current: RunningSupervisor | undefined;
  #count = 0;
  #quickEnds = 0;
  #isClosed = false;

  constructor(launch: SupervisorLaunch, log: Log) {
    this.#launch = launch;
    this.#log = log;
  }

  start(spec: ChildSpec): ServerProcess {
    if (this.#isClosed) {
      throw hostError('host.shuttingDown');
    }
    this.#current ??= this.#begin();
    this.#count += 1;
    const name = `${this.#count}`;
    const child = new SupervisedChild(name, spec, (message) => this.#current?.send(message));
    this.#children.set(name, child);
    void child.ended.then(() => this.#children.delete(name));
    return child;
  }

  /** Ends every server and the supervisor. Resolves within 4 s, whatever they do. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await this.#current?.stop();
  }

  /** Does not wait: the supervisor sees its pipe close and ends the servers by itself. */
  dispose(): void {
    this.#isClosed = true;
    this.#current?.letGo();
  }

  #begin(): RunningSupervisor {
    const beganAt = performance.now();
    return new RunningSupervisor(this.#launch, this.#log, {
      onMessage: (message) => this.#children.get(message.child)?.receive(message),
      onEnd: (reason) => this.#onEnd(reason, performance.now() - beganAt),
    });
  }

  /** The servers keep running: a new supervisor is told about them. */
  #onEnd(reason: string, livedMs: number): void {
    this.#current = undefined;
    this.#quickEnds = livedMs < quickEndMs ? this.#quickEnds + 1 : 1;
    const left = [...this.#children.values()];
    if (left.length === 0) {
      return;
    }
    if (this.#isClosed || this.#quickEnds >= maxQuickEnds) {
      this.#log.error(`The supervisor ended (${reason}) with ${left.length} servers running; they are ended too.`);
      left.forEach((child) => child.abandon());
      return;
    }
    this.#log.warn(`The supervisor ended (${reason}); another one looks after ${left.length} servers now.`);
    this.#current = this.#begin();
    left.flatMap((child) => child.toBeWatched()).forEach((message) => this.#current?.send(message));
  }
}

interface SupervisorEvents {
  readonly onMessage: (message: FromSupervisor) => void;
  readonly onEnd: (reason: string) => void;
}

class RunningSupervisor {
  readonly #process: SupervisorProcess;
  readonly #log: Log;
  readonly #events: SupervisorEvents;
  readonly #lines = new LineSplitter(maxSupervisorLine, 'fail');
  readonly #gone: Promise<void>;
  #hasEnded = false;

  constructor(launch: SupervisorLaunch, log: Log, events: SupervisorEvents) {
    this.#log = log;
    this.#events = events;
    this.#process = spawn(launch.command, launch.args, {
      env: { ...launch.env },
      // The supervisor gets a process group of its own: a signal to the editor's group must not end it before it has ended the
      // servers.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#gone = new Promise((resolve) => {
      const end = (reason: string): void => {
        if (!this.#hasEnded) {
          this.#hasEnded = true;
          events.onEnd(reason);
        }
        resolve();
      };
      this.#process.once('error', (error) => end(messageOf(error)));
      this.#process.once('exit', (code, signal) => end(`code ${String(code)}, signal ${String(signal)}`));
    });
    this.#process.stdin.on('error', () => undefined); // its exit is reported on its own
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => log.warn(`supervisor: ${text.slice(0, 2_000).trimEnd()}`));
  }

  send(message: ToSupervisor): void {
    if (!this.#hasEnded && this.#process.stdin.writable) {
      this.#process.stdin.write(encodeMessage(message));
    }
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

  #receive(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk).lines) {
        this.#events.onMessage(readFromSupervisor(line.toString('utf8')));
      }
    } catch (error) {
      this.#log.error('The supervisor sent something that is not a message; it is ended.', error);
      this.#process.kill('SIGTERM');
    }
  }
}

/** Starts the supervisor with VS Code's own runtime as plain Node. It gets nothing of the editor's environment but what it needs to run. */
export function supervisorLaunch(extensionPath: string): SupervisorLaunch {
  return {
    command: process.execPath,
    args: [path.join(extensionPath, 'dist', 'supervisor.js')],
    env: { ELECTRON_RUN_AS_NODE: '1', ...inherited('PATH'), ...inherited('SystemRoot') },
  };
}

function inherited(name: string): Readonly<Record<string, string>> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}
