import type { AppError } from '../base/errors.ts';
import type { HostErrorCode } from './shared/hostErrors.ts';

/** How a server that was lost is tried again. */
export interface ReconnectPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly maxAttempts: number;
  /** A server that stayed up this long starts over with short pauses. */
  readonly stableMs: number;
}

export const reconnectPolicy: ReconnectPolicy = { firstMs: 1_000, maxMs: 60_000, maxAttempts: 8, stableMs: 60_000 };

/** Failures that time may heal. Whatever a person has to change, and whatever a hostile server did, is not among them. */
const passing: ReadonlySet<string> = new Set<HostErrorCode>([
  'host.serverEnded',
  'host.supervisorEnded',
  'host.connectionClosed',
  'host.closedByServer',
  'host.sessionExpired',
  'host.unhealthy',
  'host.unreachable',
  'host.unavailable',
  'host.answerLost',
  'host.timeout',
]);

/** Of these a first start is tried again too: the network may not be there yet. */
const passingAtFirst: ReadonlySet<string> = new Set<HostErrorCode>(['host.unreachable', 'host.unavailable']);

/**
 * Milliseconds until the next try, or undefined when there is none. `tries` counts those since the server was last well;
 * `random` is in [0, 1) and spreads the tries of many windows and servers.
 */
export function nextTry(
  error: AppError,
  tries: number,
  wasEverReady: boolean,
  random: number,
  policy: ReconnectPolicy = reconnectPolicy,
): number | undefined {
  const mayPass = (wasEverReady ? passing : passingAtFirst).has(error.code);
  if (!mayPass || tries >= policy.maxAttempts) {
    return undefined;
  }
  if (error.code === 'host.sessionExpired' && tries === 0) {
    return 0;
  }
  const full = Math.min(policy.firstMs * 2 ** tries, policy.maxMs);
  return Math.round(full * (0.5 + random / 2));
}
