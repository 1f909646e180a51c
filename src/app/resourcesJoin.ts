import type { DisposableStore } from '../base/lifecycle.ts';
import { withoutSecrets } from '../chat/content/contentPieces.ts';
import { LiveResources } from '../host/liveResources.ts';
import { secretPlaces } from '../server/seen/withheld/redactSecrets.ts';
import { ResourceDocuments } from '../views/resourceDocuments.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

/** Joins the resources of servers to documents. Loaded with the first of them, or the first command. */
export function joinResources({ host, machine, log }: ViewsJoinOptions, lifetime: DisposableStore): ResourceDocuments {
  const { registry, reader, serversKnown } = host;
  const recordedAs = (uri: string): Promise<string> => withoutSecrets(uri, secretPlaces);
  const live = lifetime.add(new LiveResources({ registry, reader, recordedAs, log }));
  return lifetime.add(new ResourceDocuments({ live, servers: () => registry.servers(), serversKnown, key: machine }));
}
