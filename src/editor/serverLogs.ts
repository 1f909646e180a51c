import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { LogLevel } from '../contract/settings.ts';
import { OutputLog } from './outputLog.ts';

/** One output channel per server, made when there is something to say or to show. */
export class ServerLogs implements Disposable {
  readonly #level: () => LogLevel;
  readonly #nameOf: (label: string) => string;
  readonly #lifetime = new DisposableStore();
  readonly #logs = new Map<string, OutputLog>();

  /** `nameOf` makes a channel's name of a label, which comes from a file: VS Code lists channels in a quick pick. */
  constructor(level: () => LogLevel, nameOf: (label: string) => string) {
    this.#level = level;
    this.#nameOf = nameOf;
  }

  /** By label, which means one server. A definition that changes keeps its channel. */
  logFor(label: string): Log {
    const log = (): OutputLog => this.#channel(label);
    return {
      trace: (message) => log().trace(message),
      debug: (message) => log().debug(message),
      info: (message) => log().info(message),
      warn: (message) => log().warn(message),
      error: (message, error) => log().error(message, error),
    };
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
    // After the end nobody reads: the store disposes what comes too late at once.
    const log = this.#lifetime.add(new OutputLog(this.#nameOf(label), this.#level));
    this.#logs.set(label, log);
    return log;
  }
}
