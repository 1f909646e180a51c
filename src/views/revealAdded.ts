import type { HostRegistry } from '../host/hostRegistry.ts';
import type { AddedServers } from './addServer.ts';
import type { ServersTree } from './serversTree.ts';

const patienceMs = 5_000;

/** The settings take their time to arrive here: waits until the first of the new servers is known, and shows it. */
export async function revealAdded({ place, names }: AddedServers, registry: HostRegistry, tree: ServersTree): Promise<void> {
  // In a remote window VS Code may have written the person's entry into the settings of the remote.
  const isThere = (scope: string): boolean => scope === place || (place === 'user' && scope === 'remote');
  const find = (): string | undefined => registry.servers().find(({ name, scope }) => names.includes(name) && isThere(scope))?.id;
  const id = find() ?? (await nextTime(registry, find));
  if (id !== undefined) {
    await tree.reveal(id);
  }
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
