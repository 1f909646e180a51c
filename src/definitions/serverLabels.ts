import type { ServerDefinition } from './serverDefinition.ts';
import { normaliseName, shownName } from './serverNames.ts';

type Unlabelled = Omit<ServerDefinition, 'label'>;

/** What stands after the `@` of servers that no repository has named the place of. */
const ownPlaces = ['user', 'remote', 'workspace', 'folder', 'discovered'];

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
  const taken = new Set(servers.filter(isPlain).map(({ name }) => shownName(name)));
  return servers.map((server) => {
    const name = shownName(server.name);
    const label = isPlain(server) ? name : freeLabel(`${name}@${placeOf(server)}`, taken);
    taken.add(label);
    return { ...server, label } as ServerDefinition;
  });
}

function placeOf(server: Unlabelled): string {
  switch (server.scope) {
    case 'folder':
      return namedPlace('folder', server.folder?.name);
    case 'discovered':
      return namedPlace('discovered', server.file);
    case 'user':
    case 'remote':
    case 'workspace':
      return server.scope;
  }
}

/** A folder called `user` by a repository is not the person's own settings. */
function namedPlace(kind: 'folder' | 'discovered', name: string | undefined): string {
  const shown = shownName(normaliseName(name ?? ''));
  if (shown === '') {
    return kind;
  }
  return ownPlaces.includes(shown.toLowerCase()) ? `${kind}:${shown}` : shown;
}

/** Two folders may carry the same name. */
function freeLabel(wanted: string, taken: ReadonlySet<string>): string {
  let label = wanted;
  for (let count = 2; taken.has(label); count += 1) {
    label = `${wanted}~${count}`;
  }
  return label;
}
