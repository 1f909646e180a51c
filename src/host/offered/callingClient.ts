import type { Decision } from '../../consent/consentGate.ts';
import type { Principal } from '../../consent/consentModel.ts';
import type { Asker } from '../../contract/questions/callKnowledge.ts';
import type { Choice } from '../../contract/questions/questions.ts';
import type { CausingClient } from '../features/openCalls.ts';

/** An outside client, by its credential. No server is told of it. */
export interface CallingClient {
  readonly credential: { readonly id: string; readonly kind: 'windowToken' | 'clientToken' | 'oauth' };
  readonly sessionId: string | undefined;
  readonly callsItself: string;
}

/** What a client wants of an offered server. */
export interface ClientWish {
  readonly client: CallingClient;
  readonly signal: AbortSignal;
  /** Waits for a decision of the person, for as long as the client may wait. */
  decide<T>(what: string, decide: (asked: Asked) => Promise<T>, isForOne: (value: T) => boolean): Promise<T>;
}

interface Asked {
  readonly signal: AbortSignal;
  readonly asksEachTime: boolean;
}

export type ClientCallOutcome<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean };

/** The answers offered for a client with a credential of its own; a session of the window token proves only “a process of this user”. */
const lasting: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];
const forSession: readonly Choice[] = ['deny', 'allowOnce', 'allowSession'];
export const onlyOnce: readonly Choice[] = ['deny', 'allowOnce'];

export function choicesFor({ credential, sessionId }: CallingClient): readonly Choice[] {
  if (credential.kind !== 'windowToken') {
    return lasting;
  }
  return sessionId === undefined ? onlyOnce : forSession;
}

/** The end of the subject of an answer. What is given to a session of the window token is given to that session alone. */
export function sessionOfClient({ credential, sessionId }: CallingClient): readonly string[] {
  return credential.kind === 'windowToken' && sessionId !== undefined ? ['session', sessionId] : [];
}

export function principalOf({ credential }: CallingClient): Principal {
  return `client:${credential.id}`;
}

export function askerOf({ callsItself, credential }: CallingClient): Asker {
  return { kind: 'client', name: callsItself, credentialId: credential.id };
}

/** The client as the questions name it that a server asks meanwhile. */
export function causeOf({ callsItself, credential }: CallingClient): CausingClient {
  return { name: callsItself, id: credential.id };
}

export function isOnce(decision: Decision): boolean {
  return decision.kind === 'allowed' && decision.by === 'person' && decision.answer.choice === 'allowOnce';
}
