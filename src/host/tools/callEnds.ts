import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { AuditRecord } from '../../consent/audit/auditLog.ts';
import type { CallPlace } from '../../contract/questions/callKnowledge.ts';
import type { CausedBy } from '../features/openCalls.ts';
import type { HostErrorCode } from '../shared/hostErrors.ts';
import type { CallTarget as Target } from './callConsent.ts';
import type { CallOutcome, ToolCallRequest } from './toolCaller.ts';

/** What the server itself said, even in a refusal, but not the sentences that Duplex has for a failure. */
export function saidIn(outcome: CallOutcome): JsonValue | undefined {
  if (outcome.kind === 'result') {
    const { content, structuredContent = null } = outcome.result;
    return { content, structuredContent };
  }
  return outcome.kind === 'failed' && serverSpeaksIn.has(outcome.error.code) ? outcome.error.args['reason'] : undefined;
}

/** Failures whose `reason` is the server's own text. */
const serverSpeaksIn: ReadonlySet<string> = new Set<HostErrorCode>(['host.serverError', 'host.taskFailed']);

/** Whether the server of an outside client refused, or waits: it records that itself. */
export function isRefusedOutside(outcome: CallOutcome): boolean {
  return outcome.kind === 'failed' && outcome.error.code.startsWith('server.');
}

/** Where the questions that a call causes are shown: on the card of the chat, or in their usual place with the name of the client. */
export function placeOfQuestions({ principal, asker, ask }: ToolCallRequest): CausedBy | undefined {
  if (asker.kind === 'client') {
    return { client: { name: asker.name, id: asker.credentialId } };
  }
  return principal === 'chat' ? { ask } : undefined;
}

export function placeOf({ managed }: Target): CallPlace {
  if (managed.ownQuestions !== undefined) {
    return { kind: 'editor' };
  }
  const origin = managed.connection.session?.origin;
  return origin === undefined ? { kind: 'thisMachine' } : { kind: 'remote', host: revealInvisible(new URL(origin).host) };
}

export function endingOf(
  outcome: Exclude<CallOutcome, { kind: 'denied' }>,
): Pick<AuditRecord, 'outcome'> & Partial<Pick<AuditRecord, 'decidedBy'>> {
  if (outcome.kind !== 'result') {
    return { outcome: outcome.kind };
  }
  const { isError, structuredContent } = outcome.result;
  // The editor's own tools report in this way that the person has rejected a change.
  const isRejected = isJsonObject(structuredContent) && structuredContent['outcome'] === 'rejected';
  return isRejected ? { outcome: 'denied', decidedBy: 'person' } : { outcome: isError ? 'failed' : 'succeeded' };
}
