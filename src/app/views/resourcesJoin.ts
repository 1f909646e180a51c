import type { DisposableStore } from '../../base/lifecycle.ts';
import { LiveResources } from '../../host/resources/liveResources.ts';
import { redactWith, secretPlaces } from '../../secrets/redactSecrets.ts';
import { ResourceDocuments } from '../../views/resources/resourceDocuments.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

/** Joins the resources of servers to documents. This file is loaded with the first of them, or with the first command. */
export function joinResources({ host, machine, log }: ViewsJoinOptions, lifetime: DisposableStore): ResourceDocuments {
  const { registry, reader, serversKnown } = host;
  const recordedAs = (uri: string): Promise<string> => redactWith(uri, secretPlaces);
  const live = lifetime.add(new LiveResources({ registry, reader, recordedAs, log }));
  return lifetime.add(new ResourceDocuments({ live, servers: () => registry.servers(), serversKnown, key: machine }));
}
