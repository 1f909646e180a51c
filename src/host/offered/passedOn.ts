import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { productName } from '../../contract/identity.ts';
import { iconsOf } from '../shared/icons.ts';
import type { EntryExtras } from '../shared/serverState.ts';
import { revealDeep } from '../shared/shownJson.ts';

/** The most characters of one note of a server, and of all notes at one entry, as JSON. What is longer is left out. */
const maxNotes = 4_000;
/** A name whose prefix has one of these labels is the protocol's. */
const reserved: readonly string[] = ['modelcontextprotocol', 'mcp'];
const own = productName.toLowerCase();

/** What of an entry passes to clients as its server said it: icons, and the notes of `_meta`. Neither is shown to anybody here. */
export function extrasFor({ icons = [], meta }: EntryExtras): JsonObject {
  const notes = meta === undefined ? {} : notesFor(meta);
  return {
    ...(icons.length > 0 && { icons: icons.map((icon) => ({ ...icon })) }),
    ...(Object.keys(notes).length > 0 && { _meta: notes }),
  };
}

/**
 * The notes that pass. Those of the protocol and of Duplex are said by Duplex alone. Nor does a note pass that makes a page of a tool: a
 * client would take it for a page of Duplex, and let it call the tools of the editor.
 */
function notesFor(meta: JsonObject): JsonObject {
  let left = maxNotes;
  const passed = Object.fromEntries(
    Object.entries(meta).filter(([name, note]) => {
      const text = JSON.stringify(note ?? null);
      const isTaken = !isKept(name) && !/ui:\/\//i.test(text) && text.length + name.length <= left;
      left -= isTaken ? text.length + name.length : 0;
      return isTaken;
    }),
  );
  return revealDeep(passed);
}

function isKept(name: string): boolean {
  const [prefix = '', ...rest] = name.toLowerCase().split('/');
  const isReserved = rest.length > 0 && prefix.split('.').some((label) => reserved.includes(label));
  return isReserved || prefix === own || prefix === 'ui';
}

/** For whom a resource is, how important and how new: the door has looked at each of these. What else stands there passes nowhere. */
export function annotationsFor(annotations: JsonObject | undefined): JsonObject {
  const known = ['audience', 'priority', 'lastModified'].flatMap((name): [string, JsonValue][] => {
    const value = annotations?.[name];
    return value === undefined ? [] : [[name, value]];
  });
  return known.length === 0 ? {} : { annotations: Object.fromEntries(known) };
}

/** A part of a result, a prompt or a resource: its notes and icons pass by the rules for those of a list. */
export function partFor(part: JsonObject, origin: string | undefined): JsonObject {
  const { _meta: meta, icons, resource, ...rest } = part;
  const inner = isJsonObject(resource) ? partFor(resource, origin) : resource;
  return {
    ...rest,
    ...(inner !== undefined && { resource: inner }),
    ...extrasFor({ ...iconsOf(icons, origin), ...(isJsonObject(meta) && { meta }) }),
  };
}
