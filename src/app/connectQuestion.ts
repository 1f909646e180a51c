import { revealInvisible } from '../base/visibleText.ts';
import type { Ask, ConsentGate } from '../consent/consentGate.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import type { ConnectAnswer, ConnectingClient } from '../server/ports/clientApproval.ts';

/** Long enough for any honest name; the rest would only push the buttons out of view. */
const longestName = 200;

/**
 * Asks whether an outside program may see this editor. The window token proves only "a process of this user", so the
 * answer holds for this one session and "always" is not on offer.
 */
export async function askConnect(
  client: ConnectingClient,
  { gate, ask, signal }: { gate: ConsentGate; ask: Ask; signal: AbortSignal },
): Promise<ConnectAnswer> {
  const material = { credential: client.credentialId, session: client.sessionId, transport: client.transport };
  const decision = await gate.check({
    request: {
      principal: `client:${client.credentialId}`,
      action: 'connectClient',
      subject: ['client', client.credentialId, 'session', client.sessionId ?? ''],
      fingerprint: fingerprintOf(material),
      material,
    },
    detail: {
      kind: 'connectClient',
      callsItself: revealInvisible(client.callsItself).slice(0, longestName),
      transport: client.transport,
      credential: client.credentialKind,
      roles: ['reader'],
    },
    choices: ['deny', 'allowSession'],
    ask,
    signal,
  });
  return decision.kind === 'allowed' ? { kind: 'allowed', role: 'reader' } : { kind: 'denied' };
}
