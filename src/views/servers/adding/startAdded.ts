import type { InputValues } from '../../../definitions/inputs.ts';
import { normaliseName } from '../../../definitions/serverNames.ts';
import type { HostRegistry } from '../../../host/hostRegistry.ts';
import type { ServerSnapshot } from '../../../host/shared/serverState.ts';
import type { AddedServers } from './addServer.ts';
import type { NewEntry } from './newEntries.ts';
import type { ServerStarts } from '../serverStarts.ts';
import type { ServersTree } from '../serversTree.ts';

export interface StartAddedOptions {
  readonly registry: HostRegistry;
  readonly starts: ServerStarts;
  readonly inputs: InputValues;
  readonly tree: ServersTree;
}

/** How long, in ms, to wait until a server that was added is known. */
const patienceMs = 5_000;

/**
 * Leads from the settings to the tools: shows the new server, keeps its secrets, asks whether it may start, and opens its tools.
 * Each of the new servers waits until it is known, because changed settings take a while to arrive here. Resolves to their ids, and
 * rejects where the workspace is not trusted: no server is known then.
 */
export async function startAdded({ place, entries }: AddedServers, options: StartAddedOptions): Promise<readonly string[]> {
  const { registry, tree } = options;
  registry.requireTrust();
  const find = (entry: NewEntry): string | undefined =>
    registry.servers().find((server) => isAdded(server, { place, entries: [entry] }))?.id;
  const found = await Promise.all(
    entries.map(async (entry) => ({ entry, id: find(entry) ?? (await nextTime(registry, () => find(entry))) })),
  );
  const first = found.find(({ id }) => id !== undefined)?.id;
  if (first === undefined) {
    return [];
  }
  await tree.reveal(first);
  const states = await Promise.all(found.map(({ entry, id }) => startOne(entry, id, options)));
  const running = found.find((_, index) => states[index] === 'ready')?.id;
  if (running !== undefined) {
    await tree.revealTools(running);
  }
  return found.flatMap(({ id }) => id ?? []);
}

/** Whether it is one of these servers, which may not have been there when they were named. */
export function isAdded({ name, scope }: ServerSnapshot, { place, entries }: AddedServers): boolean {
  // In a remote window VS Code may have written the person's entry into the settings of the remote.
  const isThere = scope === place || (place === 'user' && scope === 'remote');
  return isThere && entries.some((entry) => normaliseName(entry.name) === name);
}

/** Keeps the values that the person gave, and starts the server with them. */
async function startOne(
  { definition, values }: NewEntry,
  id: string | undefined,
  { registry, starts, inputs }: StartAddedOptions,
): Promise<string | undefined> {
  if (id === undefined) {
    return undefined;
  }
  const known = registry.definitionOf(id);
  for (const input of known?.inputs ?? []) {
    const value = values.get(input.id);
    if (known !== undefined && value !== undefined) {
      await inputs.keep(known, input, value);
    }
  }
  return definition['disabled'] === true ? undefined : (await starts.start(id)).kind;
}

function nextTime(registry: HostRegistry, find: () => string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const finish = (id: string | undefined): void => {
      clearTimeout(timer);
      watching.dispose();
      resolve(id);
    };
    const timer = setTimeout(() => finish(undefined), patienceMs);
    const watching = registry.onDidChange(() => {
      const id = find();
      if (id !== undefined) {
        finish(id);
      }
    });
  });
}
