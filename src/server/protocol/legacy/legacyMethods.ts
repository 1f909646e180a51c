import type { Catalog } from '../../offer/catalog/catalog.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { LogLevel } from '../../offer/catalog/callContext.ts';
import { requireAdmission } from '../methods/admission.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import type { Method } from '../methods/lists.ts';
import { isLogLevel } from '../methods/logLevels.ts';
import { found, requireResource } from '../methods/resourceMethods.ts';
import { RpcError, rpcCode } from '../rpc/rpc.ts';
import { maxSubscriptions, type Subscriptions } from '../clients/subscriptions.ts';

/** What only sessions have. */
export function createLegacyMethods(
  catalog: Catalog,
  subscriptions: Subscriptions,
  setLevel: (level: LogLevel) => void,
): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['ping', () => Promise.resolve('{}')],
    ['resources/subscribe', (params, request) => subscribe(catalog, subscriptions, params, request)],
    [
      'resources/unsubscribe',
      async (params, request) => {
        subscriptions.remove(requireResource(catalog, params, request).uri);
        return '{}';
      },
    ],
    [
      'logging/setLevel',
      async ({ level }) => {
        if (!isLogLevel(level)) {
          throw new RpcError(rpcCode.invalidParams, 'Invalid log level', { parameter: 'level', reason: 'no such level' });
        }
        setLevel(level);
        return '{}';
      },
    ],
  ]);
}

async function subscribe(catalog: Catalog, subscriptions: Subscriptions, params: JsonObject, request: RequestContext): Promise<string> {
  const resource = requireResource(catalog, params, request);
  await requireAdmission(resource, request);
  await found(resource.uri, request, async () => resource.check(request));
  if (subscriptions.isFull) {
    const data = { parameter: 'uri', reason: `at most ${maxSubscriptions} subscriptions` };
    throw new RpcError(rpcCode.invalidParams, 'Too many subscriptions', data);
  }
  if (!request.signal.aborted) {
    subscriptions.add(resource);
  }
  return '{}';
}
