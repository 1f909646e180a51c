import { createServer } from 'node:net';
import { messageOf } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { DebuggerKind } from '../../contract/definitionSchemas.ts';
import { debugAddress, type PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import type { ServerProcess } from '../processes/serverProcess.ts';
import type { ProcessStarter } from '../transports/supervisedStdio.ts';

/** A process that waits on 127.0.0.1 for a debugger. */
export interface DebugTarget {
  readonly kind: DebuggerKind;
  readonly label: string;
  readonly port: number;
  readonly cwd: string;
}

/** `noDebugpy`: the Python has no debugpy, so the server has ended. With every other problem the server runs without a debugger. */
export type DebugProblem = 'notAttached' | 'noNodeDebugger' | 'noPythonDebugger' | 'noDebugpy';

/** A port to the editor's debugger and to the person. */
export interface DebuggerPorts {
  attach(target: DebugTarget): Promise<'attached' | Exclude<DebugProblem, 'noDebugpy'>>;
  tell(label: string, problem: DebugProblem): void;
}

interface DebuggedRun {
  readonly args: readonly string[];
  readonly starter: ProcessStarter;
}

/** Node prints this line before any code of the server runs. */
const nodeListens = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d{1,5})\//;
const debugpyIsMissing = /No module named '?debugpy\b/;

const logLines: Readonly<Record<DebugProblem | 'attached', string>> = {
  attached: 'The debugger of the editor is attached to it.',
  notAttached: 'The debugger of the editor could not be attached; the server runs without it.',
  noNodeDebugger:
    'The debugger could not be attached: the extension “JavaScript Debugger” (ms-vscode.js-debug) is not there or disabled. The server runs without it.',
  noPythonDebugger:
    'The debugger could not be attached: the extension “Python Debugger” (ms-python.debugpy) is not installed. The server runs without it.',
  noDebugpy: 'Its Python has no debugpy, which dev.debug needs: install it there (python -m pip install debugpy), or leave dev.debug out.',
};

/**
 * The arguments and the starter for one start of a server under its debugger. A problem with the debugger never fails the server, except for a
 * missing debugpy.
 */
export async function debuggedRun(
  launch: PreparedLaunch,
  prepared: NonNullable<PreparedLaunch['debugger']>,
  { starter, ports, log }: { readonly starter: ProcessStarter; readonly ports: DebuggerPorts | undefined; readonly log: Log },
): Promise<DebuggedRun> {
  const args = launch.args.map(({ value }) => value);
  const waiting = new WaitingDebugger(launch, ports, log);
  if (prepared.kind === 'node') {
    return { args, starter: watched(starter, (child) => waiting.followNode(child)) };
  }
  const port = await freePort();
  args[prepared.addressAt] = debugAddress(port);
  return { args, starter: watched(starter, (child) => waiting.followPython(child, port)) };
}

/** Watches a new process until its debugger can be attached, and attaches it once. */
class WaitingDebugger {
  readonly #launch: PreparedLaunch;
  readonly #ports: DebuggerPorts | undefined;
  readonly #log: Log;
  #isOver = false;

  constructor(launch: PreparedLaunch, ports: DebuggerPorts | undefined, log: Log) {
    this.#launch = launch;
    this.#ports = ports;
    this.#log = log;
  }

  /** Attaches as soon as Node listens, so that the first steps of the server can be debugged too. */
  followNode(child: ServerProcess): Disposable {
    return child.onErrorLines(({ lines }) => {
      const port = lines.map((line) => nodeListens.exec(line)?.[1]).find((each) => each !== undefined);
      if (port !== undefined) {
        void this.#attach('node', Number(port));
      }
    });
  }

  /** Attaches at the first line of output: debugpy listens before the program runs. */
  followPython(child: ServerProcess, port: number): Disposable {
    const following = new DisposableStore();
    following.add(
      child.onLine(() => {
        following.dispose();
        void this.#attach('python', port);
      }),
    );
    following.add(
      child.onErrorLines(({ lines }) => {
        if (lines.some((line) => debugpyIsMissing.test(line))) {
          following.dispose();
          this.#report('noDebugpy');
        }
      }),
    );
    return following;
  }

  async #attach(kind: DebuggerKind, port: number): Promise<void> {
    if (this.#isOver || this.#ports === undefined) {
      return;
    }
    this.#isOver = true;
    const { definition, cwd } = this.#launch;
    try {
      this.#report(await this.#ports.attach({ kind, label: definition.label, port, cwd }));
    } catch (error) {
      this.#log.debug(`attaching the debugger: ${messageOf(error)}`);
      this.#report('notAttached');
    }
  }

  #report(outcome: DebugProblem | 'attached'): void {
    if (outcome === 'attached') {
      this.#log.info(logLines.attached);
      return;
    }
    this.#log.warn(logLines[outcome]);
    this.#ports?.tell(this.#launch.definition.label, outcome);
  }
}

function watched(starter: ProcessStarter, follow: (child: ServerProcess) => Disposable): ProcessStarter {
  return {
    start: (spec) => {
      const child = starter.start(spec);
      const following = follow(child);
      void child.exited.then(() => following.dispose());
      return child;
    },
  };
}

/** Finds a free port. If another program takes it before it is used, this start fails, but not the next. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
