import type { ServerDefinition } from './serverDefinition.ts';

type Unlabelled = Omit<ServerDefinition, 'label'>;

/**
 * Gives every server a name that means one server: its own if it is the only one, else with its place. What is found in
 * another program's file never takes a configured server's plain name from it.
 */
export function labelServers(servers: readonly Unlabelled[]): readonly ServerDefinition[] {
  const isPlain = (server: Unlabelled): boolean => {
    const same = servers.filter((other) => other.name === server.name);
    const rivals = server.scope === 'discovered' ? same : same.filter((other) => other.scope !== 'discovered');
    return rivals.length === 1;
  };
  const taken = new Set(servers.filter(isPlain).map((server) => server.name));
  return servers.map((server) => {
    const label = isPlain(server) ? server.name : freeLabel(`${server.name}@${placeOf(server)}`, taken);
    taken.add(label);
    return { ...server, label } as ServerDefinition;
  });
}

function placeOf(server: Unlabelled): string {
  switch (server.scope) {
    case 'folder':
      return server.folder?.name ?? 'folder';
    case 'discovered':
      return server.file ?? 'discovered';
    case 'user':
    case 'remote':
    case 'workspace':
      return server.scope;
  }
}

/** Two folders may carry the same name, and a server may be called `demo@user`. */
function freeLabel(wanted: string, taken: ReadonlySet<string>): string {
  let label = wanted;
  for (let count = 2; taken.has(label); count += 1) {
    label = `${wanted}~${count}`;
  }
  return label;
}
