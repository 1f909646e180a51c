import { isJsonObject } from '../../../base/json.ts';
import type { RateLimiter } from '../../access/rateLimiter.ts';

export type FairUse = 'ok' | 'limited' | 'flood';

/** Counts a body's messages one by one; what must never be dropped is counted but let pass, up to a hard cap. */
export function countMessages(limiter: RateLimiter, credentialId: string, body: unknown): FairUse {
  const messages = Array.isArray(body) ? (body as readonly unknown[]) : [body];
  const droppable = messages.reduce<number>((count, message) => count + (mustPass(message) ? 0 : 1), 0);
  for (let count = droppable; count < messages.length; count += 1) {
    if (!limiter.takeOnCredit(credentialId)) {
      return 'flood';
    }
  }
  return droppable === 0 || limiter.take(credentialId, droppable) ? 'ok' : 'limited';
}

/** Cancellations, responses and pings. */
export function mustPass(message: unknown): boolean {
  if (!isJsonObject(message)) {
    return false;
  }
  const { method } = message;
  return method === 'notifications/cancelled' || method === 'ping' || (method === undefined && message.id !== undefined);
}
