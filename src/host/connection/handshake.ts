import { hasCode } from '../../base/errors.ts';
import type { Client, JSONRPCMessage, Transport, VersionNegotiation } from '../shared/sdk.ts';
import type { ServerLink } from '../shared/serverLink.ts';

/** How long a program gets to answer the first question of 2026-07-28 before it is greeted in the older way. */
const maxProbeMs = 3_000;

/**
 * Thrown when a server on a pipe ended because it was asked for its era, as some old servers do at anything but
 * `initialize`. The server is remembered as legacy, so that its next process is greeted in the older way at once.
 */
export class EndedByProbe extends Error {}

/** Tries both eras if the link can remember the answer. Otherwise, and for a server known to be legacy, only the legacy era is tried. */
export function negotiationFor(link: ServerLink, timeoutMs: number): VersionNegotiation {
  if (link.era === undefined || link.era.cache.get(link.era.key) === 'legacy') {
    return { mode: 'legacy' };
  }
  return isPipe(link.transport) ? { mode: 'auto', probe: { timeoutMs: Math.min(maxProbeMs, timeoutMs / 2) } } : { mode: 'auto' };
}

export async function shakeHands(client: Client, link: ServerLink, options: { timeout: number; signal: AbortSignal }): Promise<void> {
  const { era, transport } = link;
  const wasKnown = era?.cache.get(era.key);
  const late = watchForLateAnswer(transport);
  // The SDK ignores the signal until it knows the era.
  const giveUp = (): void => void transport.close();
  options.signal.addEventListener('abort', giveUp, { once: true });
  try {
    // Connecting starts the server, so nothing may begin after an abort.
    options.signal.throwIfAborted();
    await client.connect(transport, options);
  } catch (error) {
    if (wasKnown === 'legacy') {
      // The server may have been updated since; the next start asks again.
      era?.cache.set(era.key, undefined);
    } else if (era !== undefined && isPipe(transport) && hasCode(error, 'ERA_NEGOTIATION_FAILED') && !options.signal.aborted) {
      era.cache.set(era.key, 'legacy');
      throw new EndedByProbe('The server ended when it was asked for its era.', { cause: error });
    }
    throw error;
  } finally {
    options.signal.removeEventListener('abort', giveUp);
  }
  if (!late.isModern) {
    era?.cache.set(era.key, client.getProtocolEra() ?? 'legacy');
  }
}

/** Watches for an answer to the probe that came too late. A slow server then looked like a legacy one, which must not be remembered. */
function watchForLateAnswer(transport: Transport): { readonly isModern: boolean } {
  const late = { isModern: false };
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('result' in message && typeof message.id === 'string' && message.id.startsWith('server-discover-probe')) {
      late.isModern = true;
    }
  };
  return late;
}

/** Tells pipes from HTTP in the same way as the SDK does. */
function isPipe(transport: Transport): boolean {
  return 'stderr' in transport && 'pid' in transport;
}
