import { clientSentence } from '../../errors/clientErrors.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import { rpcCode } from '../../protocol/rpc/rpc.ts';
import type { Refusal } from '../http/refusals.ts';
import type { EndpointServices } from './streamableHttp.ts';
import { newcomer } from './streamHub.ts';

type Places = Pick<EndpointServices, 'hub' | 'directory'>;
type PlaceKind = 'sessions' | 'streams';

/** Of which kind a connection that is a session of its own finds no place: it takes one of each. Ends nothing. */
export function missingPlace({ hub, directory }: Places, credential: WireCredential): PlaceKind | undefined {
  if (!hub.mayMakeRoom(newcomer(credential))) {
    return 'streams';
  }
  return directory.mayMakeRoom(credential) ? undefined : 'sessions';
}

/** Makes room for one, or ends nothing at all: nobody loses a place to a connection that is refused. */
export function takePlaces(places: Places, credential: WireCredential): PlaceKind | undefined {
  const missing = missingPlace(places, credential);
  if (missing === undefined) {
    places.hub.makeRoom(newcomer(credential));
    places.directory.makeRoom(credential);
  }
  return missing;
}

/** Says which limit it is, and what can be done about it. */
export function noPlace(kind: PlaceKind, limits: EndpointServices['limits']): Refusal {
  const message = clientSentence(kind === 'sessions' ? 'server.sessionsInUse' : 'server.streamsInUse', { limit: limits[kind] });
  return { status: 429, retryAfterSeconds: 10, rpc: { code: rpcCode.internalError, message } };
}

/** The same for a session that ended, one that never was and one of another client. */
export function noSession(transport: 'http' | 'sse'): Refusal {
  const message = clientSentence(transport === 'sse' ? 'server.noSseSession' : 'server.noSession');
  return { status: 404, rpc: { code: rpcCode.invalidRequest, message } };
}
