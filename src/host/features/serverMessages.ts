import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { Client } from '../shared/sdk.ts';

export const serverLogLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type ServerLogLevel = (typeof serverLogLevels)[number];

/** The time, in ms, within which the messages of a server are counted. */
const windowMs = 1_000;
/** The most messages of a server that are logged within `windowMs`; the rest is left out. */
const maxPerWindow = 200;

/** Writes the log messages of a server into its log. A flood of them is cut to what a person could read. */
export class ServerMessages {
  readonly #log: Log;
  readonly #now: () => number;
  #windowStart = -Infinity;
  #count = 0;

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  configure(client: Client): void {
    client.setNotificationHandler('notifications/message', ({ params }) => this.write(params.level, params.logger, params.data));
  }

  write(level: ServerLogLevel, logger: string | undefined, data: unknown): void {
    if (!this.#isWithinRate()) {
      return;
    }
    const said = typeof data === 'string' ? data : safeJson(data);
    const text = revealInvisible(logger === undefined ? said : `${logger}: ${said}`);
    switch (level) {
      case 'debug': {
        this.#log.debug(text);
        return;
      }
      case 'info':
      case 'notice': {
        this.#log.info(text);
        return;
      }
      case 'warning': {
        this.#log.warn(text);
        return;
      }
      case 'error':
      case 'critical':
      case 'alert':
      case 'emergency': {
        this.#log.error(text);
        return;
      }
    }
  }

  #isWithinRate(): boolean {
    const now = this.#now();
    if (now - this.#windowStart >= windowMs) {
      this.#windowStart = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count === maxPerWindow + 1) {
      this.#log.warn(`The server sends more than ${maxPerWindow} messages per second; the rest of this second is left out.`);
    }
    return this.#count <= maxPerWindow;
  }
}

function safeJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
