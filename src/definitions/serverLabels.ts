import type { ServerDefinition } from './serverDefinition.ts';

type Unlabelled = Omit<ServerDefinition, 'label'>;

/** Gives every server a name that means one server: its own if it is the only one, else with its place. */
export function labelServers(servers: readonly Unlabelled[]): readonly ServerDefinition[] {
  const names = servers.map((server) => server.name);
  const isOnly = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  const taken = new Set(names.filter(isOnly));
  return servers.map((server) => {
    const label = isOnly(server.name) ? server.name : freeLabel(`${server.name}@${placeOf(server)}`, taken);
    taken.add(label);
    return { ...server, label } as ServerDefinition;
  });
}

function placeOf(server: Unlabelled): string {
  return server.scope === 'folder' ? (server.folder?.name ?? 'folder') : server.scope;
}

/** Two folders may carry the same name, and a server may be called `demo@user`. */
function freeLabel(wanted: string, taken: ReadonlySet<string>): string {
  let label = wanted;
  for (let count = 2; taken.has(label); count += 1) {
    label = `${wanted}~${count}`;
  }
  return label;
}
