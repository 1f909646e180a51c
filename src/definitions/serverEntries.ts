import { isJsonObject, type JsonObject } from '../base/json.ts';
import { normaliseName } from './serverNames.ts';

export interface ChangedEntry {
  /** The whole value of the setting, with the entry changed or gone; undefined when nothing is left of it. */
  readonly value: JsonObject | undefined;
  /** As it was, and under which key. */
  readonly key: string;
  readonly before: JsonObject;
}

/**
 * Pure. Changes the entry of a server in the value of one place, as it is written there: comments aside, all other entries and
 * all fields that nobody asked about stay as they are. `undefined` from `change` takes the entry away; the result is undefined
 * when there is no such entry.
 */
export function changeEntry(
  value: unknown,
  name: string,
  change: (definition: JsonObject) => JsonObject | undefined,
): ChangedEntry | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { mcpServers } = value;
  const isWrapper = isJsonObject(mcpServers) && !('command' in mcpServers) && !('url' in mcpServers);
  // What stands beside a wrapper counts more than what is in it, and of two keys of one name the last: as when they are read.
  const beside = changeMember(value, name, change, isWrapper ? ['mcpServers'] : []);
  if (beside !== undefined || !isWrapper) {
    return beside;
  }
  const inside = changeMember(mcpServers, name, change, []);
  return inside && { ...inside, value: { ...value, mcpServers: inside.value ?? {} } };
}

function changeMember(
  servers: JsonObject,
  name: string,
  change: (definition: JsonObject) => JsonObject | undefined,
  without: readonly string[],
): ChangedEntry | undefined {
  const key = Object.keys(servers).findLast((each) => normaliseName(each) === name && !without.includes(each));
  const before = key === undefined ? undefined : servers[key];
  if (key === undefined || !isJsonObject(before)) {
    return undefined;
  }
  const after = change(before);
  const members = Object.entries(servers).flatMap(([each, member]) => (each !== key ? [[each, member]] : after ? [[key, after]] : []));
  return { key, before, value: members.length === 0 ? undefined : (Object.fromEntries(members) as JsonObject) };
}
