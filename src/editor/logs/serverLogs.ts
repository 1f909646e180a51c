import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log, LogLevel } from '../../base/log.ts';
import { OutputLog } from './outputLog.ts';

/** The most lines that are kept of a server's log: half from its beginning, half from its end. */
const maxLines = 200;
/** The most characters that are kept of each line of a server's log. */
const maxLineLength = 1_000;

/** The logs of the servers, one output channel each. A channel is made when there is something to say or to show. */
export class ServerLogs implements Disposable {
  readonly #level: () => LogLevel;
  readonly #nameOf: (label: string) => string;
  readonly #lifetime = new DisposableStore();
  readonly #logs = new Map<string, OutputLog>();
  /** The first and the last lines since each server's last start. */
  readonly #lines = new Map<string, string[]>();

  /** `nameOf` makes a channel's name from a server's label. The label comes from a file, and VS Code shows the name in a list. */
  constructor(level: () => LogLevel, nameOf: (label: string) => string) {
    this.#level = level;
    this.#nameOf = nameOf;
  }

  /** The log of the server with this label. A definition that changes keeps its channel. */
  logFor(label: string): Log {
    const log = (): OutputLog => this.#channel(label);
    return {
      trace: (message) => log().trace(message),
      debug: (message) => log().debug(message),
      info: (message) => {
        this.#keep(label, message);
        log().info(message);
      },
      warn: (message) => {
        this.#keep(label, message);
        log().warn(message);
      },
      error: (message, error) => {
        this.#keep(label, message);
        log().error(message, error);
      },
    };
  }

  /** What the server said since it was started last: the beginning and the end of it. */
  linesOf(label: string): readonly string[] {
    return this.#lines.get(label) ?? [];
  }

  /** Forgets what a server said before it was started: that explains nothing any more. */
  forgetLines(label: string): void {
    this.#lines.delete(label);
  }

  #keep(label: string, message: string): void {
    const lines = this.#lines.get(label) ?? [];
    this.#lines.set(label, lines);
    lines.push(message.slice(0, maxLineLength));
    if (lines.length > maxLines) {
      lines.splice(maxLines / 2, 1);
    }
  }

  show(label: string): void {
    this.#channel(label).show();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #channel(label: string): OutputLog {
    const known = this.#logs.get(label);
    if (known !== undefined) {
      return known;
    }
    // After the end nobody reads: the store disposes a log that is added then at once.
    const log = this.#lifetime.add(new OutputLog(this.#nameOf(label), this.#level));
    this.#logs.set(label, log);
    return log;
  }
}
