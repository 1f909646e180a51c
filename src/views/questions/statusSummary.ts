import { needsPermission, needsSignIn, type ServerSnapshot } from '../../host/shared/serverState.ts';
import type { EmbeddedServerState } from '../../server/window/serverCore.ts';
import type { StatusSummary } from './statusItem.ts';
import type { WaitingQuestions } from './waitingQuestions.ts';

/** Everything that the status bar could show. */
export interface StatusFacts {
  readonly servers: readonly ServerSnapshot[];
  /** How many questions wait, and where the first one is asked. */
  readonly questions: Pick<WaitingQuestions, 'count' | 'firstSurface'>;
  readonly embedded: EmbeddedServerState;
  /** How many outside programs are connected. */
  readonly clients: number;
}

/** Chooses the most urgent thing to show. */
export function summarizeStatus({ servers, questions, embedded, clients }: StatusFacts): StatusSummary {
  const labels = (isMeant: (server: ServerSnapshot) => boolean): string[] => servers.filter(isMeant).map(({ label }) => label);
  if (questions.count > 0) {
    return { kind: 'questions', count: questions.count, areInChat: questions.firstSurface === 'chat' };
  }
  const failed = labels((server) => server.state.kind === 'failed' && !needsSignIn(server));
  if (failed.length > 0) {
    return { kind: 'failed', names: failed };
  }
  const waiting = labels(needsPermission);
  if (waiting.length > 0) {
    return { kind: 'needsPermission', count: waiting.length };
  }
  const unknown = labels(needsSignIn);
  if (unknown.length > 0) {
    return { kind: 'needsSignIn', names: unknown };
  }
  return embedded.kind === 'listening' ? { kind: 'listening', port: embedded.port, clients } : { kind: 'off' };
}
