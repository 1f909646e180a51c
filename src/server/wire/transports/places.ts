import type { WireCredential } from '../../seen/viewer.ts';
import type { EndpointServices } from './streamableHttp.ts';
import { newcomer } from './streamHub.ts';

type Places = Pick<EndpointServices, 'hub' | 'directory'>;

/** Whether a connection that is a session of its own could be opened: it takes one place of each kind. Ends nothing. */
export function hasPlaces({ hub, directory }: Places, credential: WireCredential): boolean {
  return hub.mayMakeRoom(newcomer(credential)) && directory.mayMakeRoom(credential);
}

/** Makes room for one, or ends nothing at all: nobody loses a place to a connection that is refused. */
export function takePlaces(places: Places, credential: WireCredential): boolean {
  return hasPlaces(places, credential) && places.hub.makeRoom(newcomer(credential)) && places.directory.makeRoom(credential);
}
