/** From silence to everything. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export type LogLevel = (typeof logLevels)[number];
