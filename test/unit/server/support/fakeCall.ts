import type { Role } from '../../../../src/contract/questions/rolesAndClaims.ts';
import type { CallContext } from '../../../../src/server/offer/catalog/catalog.ts';
import type { ViewerRights } from '../../../../src/server/seen/viewer.ts';

/** A call by a client that was let in, reads no progress and is never cancelled. */
export function fakeCall(changes: Partial<CallContext> = {}): CallContext {
  return {
    viewer: {
      credential: { id: 'window-1', kind: 'windowToken' },
      sessionId: 'session-1',
      callsItself: 'peer 9',
      transport: 'http',
      rights: rightsOf('runner'),
    },
    signal: new AbortController().signal,
    wantsProgress: false,
    reportProgress: () => undefined,
    log: () => undefined,
    clientCapabilities: {},
    inputResponses: {},
    requestState: undefined,
    confirm: () => Promise.resolve('asItIs'),
    joinQuestion: (_key, ask) => ask(new AbortController().signal),
    decideElsewhere: ({ decide }) => decide({ signal: new AbortController().signal, asksEachTime: false }),
    hides: () => false,
    ...changes,
  };
}

/** They stay as they are. */
export function rightsOf(role: Role | undefined): ViewerRights {
  return { role: () => role, onDidChange: () => ({ dispose: () => undefined }) };
}
