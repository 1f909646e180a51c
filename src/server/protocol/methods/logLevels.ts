import type { LogLevel } from '../../offer/catalog/callContext.ts';

/** From chatter to catastrophe. */
const logLevels: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** What a legacy client gets that never said how much it wants. */
export const defaultLogLevel: LogLevel = 'info';

export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value);
}

export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
