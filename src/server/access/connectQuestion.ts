import { revealInvisible } from '../../base/visibleText.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Choice } from '../../contract/questions/questions.ts';
import type { ConnectClientQuestion } from '../../contract/questions/clientQuestions.ts';
import type { ConnectAnswer, ConnectingClient } from './clientApproval.ts';
import { rolesFor } from './roles.ts';

/** The longest name that is shown: enough for any honest name, and short enough to keep the buttons in view. */
const maxName = 200;

/** Asks whether an outside program may see this editor, and in which role. */
export async function askConnect(
  client: ConnectingClient,
  { gate, ask, signal }: { gate: ConsentGate; ask: Ask; signal: AbortSignal },
): Promise<ConnectAnswer> {
  const { credentialKind, sessionId } = client;
  const roles = rolesFor({ credentialKind, isStateless: sessionId === undefined }).filter((role) => client.roles?.includes(role) ?? true);
  const decision = await gate.check({
    request: connectRequest(client),
    detail: {
      kind: 'connectClient',
      ...shownIdentity(client),
      roles: [...roles],
      ...(client.pairingCode === undefined ? {} : { pairingCode: client.pairingCode }),
    },
    choices: connectChoices(client),
    // Anybody who knows a registration can ask in its name, so the person compares the pairing code each time.
    asksAnew: client.pairingCode !== undefined,
    // "Always" means once per credential and workspace.
    scopes: { allowAlways: 'workspace' },
    ask: async (question, withdrawn) => {
      const answer = await ask(question, withdrawn);
      return { ...answer, role: roles.find((role) => role === answer.role) ?? 'reader' };
    },
    signal,
  });
  if (decision.kind === 'denied') {
    return { kind: 'denied' };
  }
  return { kind: 'allowed', role: (decision.by === 'person' ? decision.answer.role : decision.role) ?? 'reader' };
}

/**
 * The consent request of a connect question. The window token proves only "a process of this user", so an answer about it holds for
 * one session, or for all its stateless requests.
 */
export function connectRequest({
  credentialId,
  credentialKind,
  sessionId,
}: Omit<ConnectingClient, 'callsItself' | 'transport'>): ConsentRequest {
  const isStateless = credentialKind === 'windowToken' && sessionId === undefined;
  const subject = ['client', credentialId, ...(isStateless ? ['stateless'] : ownSession({ credentialKind, sessionId }))];
  const material = { client: subject };
  return { principal: `client:${credentialId}`, action: 'connectClient', subject, fingerprint: fingerprintOf(material), material };
}

/**
 * The end of a consent subject. What is given to a session of the window token is given to that session only; all sessions of any
 * other credential belong to one client.
 */
export function ownSession({ credentialKind, sessionId }: Pick<ConnectingClient, 'sessionId'> & { credentialKind: string }): string[] {
  return credentialKind === 'windowToken' && sessionId !== undefined ? ['session', sessionId] : [];
}

export function shownIdentity(
  client: ConnectingClient,
): Pick<ConnectClientQuestion, 'callsItself' | 'transport' | 'credential' | 'credentialId'> {
  return {
    callsItself: revealInvisible(client.callsItself).slice(0, maxName),
    transport: client.transport,
    credential: client.credentialKind,
    credentialId: client.credentialId,
  };
}

function connectChoices({ credentialKind }: ConnectingClient): readonly Choice[] {
  return credentialKind === 'windowToken' ? ['deny', 'allowSession'] : ['deny', 'allowSession', 'allowAlways', 'denyAlways'];
}
