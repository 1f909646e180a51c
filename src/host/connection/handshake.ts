import { hasCode } from '../../base/errors.ts';
import type { Client, JSONRPCMessage, Transport, VersionNegotiation } from '../shared/sdk.ts';
import type { ServerLink } from '../shared/serverLink.ts';

/** What a program gets to answer the first question of 2026-07-28 before it is greeted in the older way. */
const maxProbeMs = 3_000;

/**
 * A server on a pipe ended when it was asked for its era, as some old ones do at anything but a greeting. It is noted as
 * legacy, and a new process of it will be greeted at once.
 */
export class EndedByProbe extends Error {}

/** Both eras where the link says where to remember which; the legacy one otherwise, and for a server known to be of it. */
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
  // The SDK does not look at the signal before it knows the era.
  const giveUp = (): void => void transport.close();
  options.signal.addEventListener('abort', giveUp, { once: true });
  try {
    // To connect is to start it.
    options.signal.throwIfAborted();
    await client.connect(transport, options);
  } catch (error) {
    if (wasKnown === 'legacy') {
      // It may have been updated since; the next start asks again.
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

/** A slow starter answers after it was given up on; that it is of the legacy era is then no verdict to keep. */
function watchForLateAnswer(transport: Transport): { readonly isModern: boolean } {
  const late = { isModern: false };
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('result' in message && typeof message.id === 'string' && message.id.startsWith('server-discover-probe')) {
      late.isModern = true;
    }
  };
  return late;
}

/** How the SDK tells pipes from requests over HTTP. */
function isPipe(transport: Transport): boolean {
  return 'stderr' in transport && 'pid' in transport;
}
