import { needsPermission, needsSignIn, type ServerSnapshot } from '../../host/shared/serverState.ts';
import type { ServerState } from '../../server/window/serverCore.ts';
import type { StatusSummary } from './statusItem.ts';
import type { WaitingQuestions } from './waitingQuestions.ts';

/** What the status bar chooses from. */
export interface StatusFacts {
  readonly servers: readonly ServerSnapshot[];
  /** What waits for the person, and where to lead them first. */
  readonly questions: Pick<WaitingQuestions, 'count' | 'firstSurface'>;
  readonly embedded: ServerState;
  /** How many outside programs are connected. */
  readonly clients: number;
}

/** The most urgent thing first. */
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
