import type { DisposableStore } from '../base/lifecycle.ts';
import { withoutSecrets } from '../chat/content/contentPieces.ts';
import { LiveResources } from '../host/liveResources.ts';
import { secretPlaces } from '../server/seen/withheld/redactSecrets.ts';
import { PromptPreviews } from '../views/promptPreviews.ts';
import { ResourceDocuments } from '../views/resourceDocuments.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

export interface ResourcesJoin {
  readonly resources: ResourceDocuments;
  readonly previews: PromptPreviews;
}

/** Joins the resources and prompts of servers to documents. */
export function joinResources({ host, machine, log }: ViewsJoinOptions, lifetime: DisposableStore): ResourcesJoin {
  const { registry, reader, serversKnown } = host;
  const recordedAs = (uri: string): Promise<string> => withoutSecrets(uri, secretPlaces);
  const live = lifetime.add(new LiveResources({ registry, reader, recordedAs, log }));
  const resources = lifetime.add(new ResourceDocuments({ live, servers: () => registry.servers(), serversKnown, key: machine }));
  return { resources, previews: lifetime.add(new PromptPreviews()) };
}
