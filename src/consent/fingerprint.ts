import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, type JsonObject } from '../base/json.ts';
import type { Difference } from '../contract/questions/questions.ts';

export function fingerprintOf(material: JsonObject): string {
  return createHash('sha256').update(canonicalJson(material)).digest('base64url');
}

/** What differs, field by field, with nested fields as `env.PATH`, so that a person sees what changed. */
export function differencesBetween(before: JsonObject, after: JsonObject): Difference[] {
  const old = flatten(before);
  const now = flatten(after);
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return fields.flatMap((field) => {
    const was = old.get(field);
    const is = now.get(field);
    return was === is ? [] : [{ field, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
  });
}

/**
 * Compares, field by field, what is bound to a server by its identity, under the key `server`. Of the identity it is only said that it
 * is another one, because it is no text for people.
 */
export function differencesAtServer({ server: before, ...previous }: JsonObject, { server: after, ...now }: JsonObject): Difference[] {
  return [...(before === after ? [] : [{ field: 'server' }]), ...differencesBetween(previous, now)];
}

/** The longest name of a field whose members are fields of their own: each of them repeats it, and the names are a server's. */
const maxFieldName = 1_000;

function flatten(value: JsonObject, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, member] of Object.entries(value)) {
    const name = `${prefix}${key}`;
    if (isJsonObject(member) && name.length <= maxFieldName && Object.keys(member).length > 0) {
      for (const [inner, text] of flatten(member, `${name}.`)) {
        flat.set(inner, text);
      }
    } else if (member !== undefined) {
      flat.set(name, typeof member === 'string' ? member : canonicalJson(member));
    }
  }
  return flat;
}
