import { canonicalJson } from '../../base/json.ts';
import { foreignFileKind } from '../../contract/definitionSchemas.ts';
import { type ForeignPlace, foreignPlaces, type ForeignPlacesContext } from './foreignFiles.ts';
import { readPlace } from './foundServers.ts';
import { readDefinitions } from '../readDefinitions.ts';
import type { ServerDefinition } from '../serverDefinition.ts';
import { isBridge } from './thisEditor.ts';

/** A server in the file of another program. */
export interface ServerElsewhere {
  readonly place: ForeignPlace;
  readonly definition: ServerDefinition;
}

/** Servers that start or reach the same, wherever they are configured. */
export interface SameServers {
  /** The servers in files of other programs: at least one, of which the first is adopted. */
  readonly elsewhere: readonly ServerElsewhere[];
  /** The person's own entry that is the same, if there is one. */
  readonly own: ServerDefinition | undefined;
  /** Whether the values of their variables or headers differ: then those of the first one are taken. */
  readonly hasOtherValues: boolean;
}

/** Reads, once, what is configured in every known file of other programs, whether these files are read otherwise or not. */
export async function readElsewhere(context: ForeignPlacesContext): Promise<readonly ServerElsewhere[]> {
  const places = foreignPlaces(foreignFileKind().options, context);
  const found = await Promise.all(
    places.map(async (place): Promise<readonly ServerElsewhere[]> => {
      const source = await readPlace(place, context.env);
      return source === undefined ? [] : readDefinitions([source], context.env).definitions.map((definition) => ({ place, definition }));
    }),
  );
  return found.flat().filter(({ definition }) => !leadsHere(definition));
}

/** Says which of the servers are the same. `own` are those that the person has in Duplex already. */
export function sameServers(elsewhere: readonly ServerElsewhere[], own: readonly ServerDefinition[]): readonly SameServers[] {
  const groups = new Map<string, ServerElsewhere[]>();
  for (const each of elsewhere) {
    const key = whatRuns(each.definition);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].map(([key, same]) => ({
    elsewhere: same,
    own: own.find((definition) => whatRuns(definition) === key),
    hasOtherValues: new Set(same.map(({ definition }) => canonicalJson(valuesOf(definition)))).size > 1,
  }));
}

/** What tells one server from another: the program with its arguments, or the address, and the names of what it is given. */
function whatRuns(definition: ServerDefinition): string {
  const names = Object.keys(valuesOf(definition)).toSorted();
  if (definition.kind === 'remote') {
    return canonicalJson([definition.raw.url, names]);
  }
  const { command, args = [], cwd = '' } = definition.raw;
  // These words only keep npx from asking.
  const words = command === 'npx' ? args.filter((arg) => arg !== '-y' && arg !== '--yes') : args;
  return canonicalJson([command, words, cwd, names]);
}

function valuesOf(definition: ServerDefinition): Readonly<Record<string, unknown>> {
  return (definition.kind === 'remote' ? definition.raw.headers : definition.raw.env) ?? {};
}

/** Whether it is the way into an editor with Duplex: that is what takes the place of the others. */
function leadsHere(definition: ServerDefinition): boolean {
  return definition.kind === 'stdio' && [definition.raw.command, ...(definition.raw.args ?? [])].some(isBridge);
}
