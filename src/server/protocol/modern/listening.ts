import { isRpcError } from '../rpc/rpc.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { DisposableStore, type Disposable } from '../../../base/lifecycle.ts';
import { isNotFound } from '../../errors/serverErrors.ts';
import type { Catalog, CatalogPart, Resource } from '../../offer/catalog/catalog.ts';
import type { Clock } from '../../../base/clock.ts';
import type { InFlight } from '../requests/inFlight.ts';
import { ListChanges, listsSeenBy, maxSubscriptions, Subscriptions } from '../clients/changeNotices.ts';
import { refusalOf } from '../methods/callRecords.ts';
import { resourceSeenBy } from '../methods/lists.ts';
import { requireAdmission, tooLong } from '../methods/resourceMethods.ts';
import { RpcError, rpcCode, rpcNotificationText, rpcResultText } from '../rpc/rpc.ts';
import type { Task } from '../tasks/task.ts';
import { metaKey } from '../../../contract/protocolNames.ts';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';

export interface ListenServices {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly interval: number;
  /** Returns those of the ids that are tasks of this client. Throws if the client did not declare tasks. */
  readonly knownTasks: (ids: readonly string[]) => readonly string[];
}

const listKinds: Readonly<Record<CatalogPart, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};

/** The part of a client's wishes that is fulfilled. */
interface Honoured {
  readonly parts: ReadonlySet<CatalogPart>;
  readonly resources: readonly Resource[];
  /** The URIs as the client spelled them, in the order of `resources`. */
  readonly uris: readonly string[];
  readonly taskIds: readonly string[] | undefined;
}

/** One `subscriptions/listen` request, open until the client cancels it or the server ends it. */
export class Listening implements Disposable {
  readonly #request: InFlight;
  readonly #owned = new DisposableStore();
  readonly #lists: ListChanges;
  readonly #taskIds: ReadonlySet<string>;

  /** Begins to listen. It waits for approval if the client asked for resources; the acknowledgement is sent first. */
  static async open(services: ListenServices, params: JsonObject, request: InFlight): Promise<Listening> {
    const honoured = await honour(services, params, request);
    return new Listening(services, honoured, request);
  }

  private constructor({ catalog, clock, interval }: ListenServices, honoured: Honoured, request: InFlight) {
    this.#request = request;
    this.#taskIds = new Set(honoured.taskIds);
    this.#notify('notifications/subscriptions/acknowledged', { notifications: toFilter(honoured) });
    const told = new Map(honoured.resources.map(({ uri }, index) => [uri, honoured.uris[index] ?? uri]));
    const subscriptions = this.#owned.add(
      new Subscriptions(clock, interval, (uri, resource) => {
        if (request.access.mayHearOf(resource)) {
          this.#notify('notifications/resources/updated', { uri: told.get(uri) ?? uri });
        }
      }),
    );
    for (const resource of honoured.resources) {
      subscriptions.add(resource);
    }
    this.#lists = this.#owned.add(
      new ListChanges({
        ...listsSeenBy(request, catalog),
        clock,
        interval,
        tell: (part) => {
          if (honoured.parts.has(part)) {
            this.#notify(`notifications/${part}/list_changed`);
          }
        },
      }),
    );
  }

  /** Call it when the client may see more or less than before. */
  onAccessChanged(): void {
    this.#lists.reconsider();
  }

  onTaskChanged(task: Task, detailed: JsonObject): void {
    if (this.#taskIds.has(task.id)) {
      this.#notify('notifications/tasks', detailed);
    }
  }

  /** Ends the request because the server stops. */
  end(): void {
    this.dispose();
    const { id } = this.#request;
    this.#request.finish(rpcResultText(id, JSON.stringify({ resultType: 'complete', _meta: { [metaKey.subscriptionId]: id } })));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #notify(method: string, params: JsonObject = {}): void {
    const _meta = { [metaKey.subscriptionId]: this.#request.id };
    this.#request.notify(rpcNotificationText(method, { ...params, _meta }));
  }
}

async function honour(services: ListenServices, params: JsonObject, request: InFlight): Promise<Honoured> {
  const { notifications } = params;
  if (!isJsonObject(notifications)) {
    throw invalid('notifications', 'expected an object');
  }
  const parts = new Set((Object.keys(listKinds) as CatalogPart[]).filter((part) => notifications[listKinds[part]] === true));
  const taskIds = notifications.taskIds === undefined ? undefined : services.knownTasks(strings(notifications.taskIds, 'taskIds'));
  const wanted =
    notifications.resourceSubscriptions === undefined ? [] : strings(notifications.resourceSubscriptions, 'resourceSubscriptions');
  const resources: Resource[] = [];
  const uris: string[] = [];
  for (const uri of new Set(wanted)) {
    const resource = await findVisible(services.catalog, uri, request);
    if (resource !== undefined) {
      resources.push(resource);
      uris.push(uri);
    }
  }
  return { parts, resources, uris, taskIds };
}

/** Finds a resource to subscribe to. One that is unknown, withheld or above the client's role is left out; the other wishes stand. */
async function findVisible(catalog: Catalog, uri: string, request: InFlight): Promise<Resource | undefined> {
  const resource = resourceSeenBy(uri, request, catalog);
  try {
    await requireAdmission(resource ?? { role: 'reader', uri }, request);
    await resource?.check(request);
    return resource;
  } catch (error) {
    const isOfOther = resource?.server !== undefined && refusalOf(error) !== undefined;
    if (isNotFound(error) || isOfOther || (isRpcError(error) && error.data?.reason === 'role')) {
      return undefined;
    }
    throw error;
  }
}

function toFilter({ parts, uris, taskIds }: Honoured): JsonObject {
  return {
    ...Object.fromEntries([...parts].map((part) => [listKinds[part], true])),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
    ...(taskIds !== undefined && { taskIds }),
  };
}

function strings(value: unknown, parameter: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
    throw invalid(parameter, 'expected an array of strings');
  }
  if (value.length > maxSubscriptions) {
    throw invalid(parameter, `at most ${maxSubscriptions}`);
  }
  if (value.some((item) => item.length > maxPathLength)) {
    throw invalid(parameter, tooLong);
  }
  return value;
}

function invalid(parameter: string, reason: string): RpcError {
  return new RpcError(rpcCode.invalidParams, `Invalid parameters: ${parameter}: ${reason}`, { parameter, reason });
}
