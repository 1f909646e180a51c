import type { Catalog } from '../catalog/catalog.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RequestContext } from './inFlight.ts';
import { found, requireAdmission, requireResource, type Method } from './methods.ts';
import type { Subscriptions } from './subscriptions.ts';

/** What only sessions have. */
export function createLegacyMethods(catalog: Catalog, subscriptions: Subscriptions): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['resources/subscribe', (params, request) => subscribe(catalog, subscriptions, params, request)],
    [
      'resources/unsubscribe',
      async (params, request) => {
        subscriptions.remove(requireResource(catalog, params, request).uri);
        return '{}';
      },
    ],
  ]);
}

async function subscribe(catalog: Catalog, subscriptions: Subscriptions, params: JsonObject, request: RequestContext): Promise<string> {
  const resource = requireResource(catalog, params, request);
  await requireAdmission(resource, request);
  await found(resource.uri, request, async () => resource.check(request));
  if (!request.signal.aborted) {
    subscriptions.add(resource);
  }
  return '{}';
}
