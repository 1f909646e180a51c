/** How much is logged, from nothing to everything. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A Log is where a room reports what happened. It is never given secrets: names and sizes, not values. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

export const silentLog: Log = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

function nothing(): void {
  // A log for places that have nobody to tell.
}

/** Returns a log that puts the name of a part of the program before every line. */
export function prefixed(log: Log, prefix: string): Log {
  return {
    trace: (message) => log.trace(`[${prefix}] ${message}`),
    debug: (message) => log.debug(`[${prefix}] ${message}`),
    info: (message) => log.info(`[${prefix}] ${message}`),
    warn: (message) => log.warn(`[${prefix}] ${message}`),
    error: (message, error) => log.error(`[${prefix}] ${message}`, error),
  };
}
