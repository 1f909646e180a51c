import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { normaliseName } from './serverNames.ts';

export interface ChangedEntry {
  /** The whole value of the setting with the entry changed or removed; undefined when nothing is left of it. */
  readonly value: JsonObject | undefined;
  /** The key of the entry, and below it the entry as it was. */
  readonly key: string;
  readonly before: JsonObject;
  /** Whether the entry is inside a pasted `{"mcpServers": {…}}`. */
  readonly isInWrapper: boolean;
  /** The keys before it, in their order. */
  readonly preceding: readonly string[];
}

/**
 * Changes the entry of a server in the value of one place. All other entries, and all fields that `change` leaves alone,
 * stay as they are; comments are not part of the value. When `change` returns undefined the entry is removed. The result is
 * undefined when there is no such entry.
 */
export function changeEntry(
  value: unknown,
  name: string,
  change: (definition: JsonObject) => JsonObject | undefined,
): ChangedEntry | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const wrapped = wrappedIn(value);
  // As when definitions are read, an entry beside a wrapper wins over one inside it, and of two keys of one name the last wins.
  const beside = changeMember(value, name, change, wrapped === undefined ? [] : ['mcpServers']);
  if (beside !== undefined || wrapped === undefined) {
    return beside;
  }
  const inside = changeMember(wrapped, name, change, []);
  return inside && { ...inside, isInWrapper: true, value: { ...value, mcpServers: inside.value ?? {} } };
}

/** Puts a removed entry back where it was, among the entries that are there by now. */
export function putEntryBack(value: JsonObject | undefined, removed: ChangedEntry): JsonObject {
  const now = value ?? {};
  if (!removed.isInWrapper) {
    return withMember(now, removed);
  }
  const isFree = now['mcpServers'] === undefined;
  const wrapped = isFree ? {} : wrappedIn(now);
  return wrapped === undefined ? withMember(now, removed) : { ...now, mcpServers: withMember(wrapped, removed) };
}

/** The content of a wrapper; undefined when there is none, or when `mcpServers` is the name of a server. */
function wrappedIn({ mcpServers }: JsonObject): JsonObject | undefined {
  return isJsonObject(mcpServers) && !('command' in mcpServers) && !('url' in mcpServers) ? mcpServers : undefined;
}

function withMember(servers: JsonObject, { key, before, preceding }: ChangedEntry): JsonObject {
  const others = Object.entries(servers).filter(([each]) => each !== key);
  const at = others.findLastIndex(([each]) => preceding.includes(each)) + 1;
  return Object.fromEntries([...others.slice(0, at), [key, before], ...others.slice(at)]);
}

function changeMember(
  servers: JsonObject,
  name: string,
  change: (definition: JsonObject) => JsonObject | undefined,
  without: readonly string[],
): ChangedEntry | undefined {
  const keys = Object.keys(servers);
  const key = keys.findLast((each) => normaliseName(each) === name && !without.includes(each));
  const before = key === undefined ? undefined : servers[key];
  if (key === undefined || !isJsonObject(before)) {
    return undefined;
  }
  const after = change(before);
  const members = Object.entries(servers).flatMap(([each, member]) => (each !== key ? [[each, member]] : after ? [[key, after]] : []));
  const changed = members.length === 0 ? undefined : (Object.fromEntries(members) as JsonObject);
  return { key, before, value: changed, isInWrapper: false, preceding: keys.slice(0, keys.indexOf(key)) };
}

/** The paths under which the files that Duplex reads keep their servers. */
const ways: readonly (readonly string[])[] = [
  ['duplex.mcpServers'],
  ['duplex.mcpServers', 'mcpServers'],
  ['settings', 'duplex.mcpServers'],
  ['settings', 'duplex.mcpServers', 'mcpServers'],
  ['servers'],
  ['mcpServers'],
  ['context_servers'],
  ['customizations', 'vscode', 'mcp', 'servers'],
];

export interface EntryRange {
  readonly offset: number;
  readonly length: number;
}

/** The place of a definition in a text, its name included; undefined when the text has none of that name. */
export function placeInFile(text: string, name: string): EntryRange | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const servers = ways.flatMap((way) => (root && findNodeAtLocation(root, [...way])) ?? []);
  const member = servers
    .flatMap((node) => node.children ?? [])
    .find(({ children }) => normaliseName(String(children?.[0]?.value)) === name);
  return member && { offset: member.offset, length: member.length };
}
