import type { DefinitionSource } from '../definitions/serverDefinition.ts';

/** What `inspect()` says of the scopes outside the workspace. The two parts are there at run time only: the typings lack them. */
export interface InspectedGlobally {
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

export interface GlobalParts {
  /** The person's own. */
  readonly user: unknown;
  /** The machine settings of the remote: a repository's devcontainer can write them. */
  readonly remote: unknown;
}

/**
 * `globalValue` is a deep merge of both parts, through which a devcontainer would graft its `url` onto the person's
 * `headers`. Only without any part is it one place's: an older VS Code, or a value that all profiles share.
 */
export function globalParts({ globalValue, globalLocalValue, globalRemoteValue }: InspectedGlobally = {}): GlobalParts {
  const isApart = globalLocalValue !== undefined || globalRemoteValue !== undefined;
  return isApart ? { user: globalLocalValue, remote: globalRemoteValue } : { user: globalValue, remote: undefined };
}

export interface GlobalPlaces {
  /** What people call each. */
  readonly userLocation: string;
  readonly remoteLocation: string;
  /** What tells this remote from another. */
  readonly machine: string;
}

/** Each place whole, with the inputs of its own. */
export function globalSources(
  servers: InspectedGlobally | undefined,
  inputs: InspectedGlobally | undefined,
  { userLocation, remoteLocation, machine }: GlobalPlaces,
): readonly DefinitionSource[] {
  const value = globalParts(servers);
  const own = globalParts(inputs);
  const user: DefinitionSource = { scope: 'user', value: value.user, inputs: own.user, location: userLocation };
  const remote: DefinitionSource = { scope: 'remote', machine, value: value.remote, inputs: own.remote, location: remoteLocation };
  return [user, remote].filter((source) => source.value !== undefined);
}
