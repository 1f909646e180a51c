import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { InputRequest } from '../../offer/catalog/catalog.ts';

/** What a client would have to declare to be asked all this and does not, as a capabilities object; none if it may be asked. */
export function missingCapabilities(requests: Readonly<Record<string, InputRequest>>, declared: JsonObject): JsonObject | undefined {
  const missing: Record<string, JsonObject> = {};
  for (const request of Object.values(requests)) {
    const [capability, mode] = neededFor(request);
    const found = declared[capability];
    // An elicitation capability without members is the older way to say that forms are shown.
    const isThere = isJsonObject(found) && (mode === undefined || mode in found || (mode === 'form' && Object.keys(found).length === 0));
    if (!isThere) {
      missing[capability] = { ...missing[capability], ...(mode !== undefined && mode !== 'form' && { [mode]: {} }) };
    }
  }
  return Object.keys(missing).length === 0 ? undefined : missing;
}

function neededFor({ method, params }: InputRequest): readonly [capability: string, mode?: string] {
  switch (method) {
    case 'elicitation/create':
      return ['elicitation', params?.mode === 'url' ? 'url' : 'form'];
    case 'sampling/createMessage':
      return params?.tools === undefined ? ['sampling'] : ['sampling', 'tools'];
    case 'roots/list':
      return ['roots'];
  }
}

/** What is ever asked about, and nothing else of what a client declares: the rest may be megabytes. */
export function usedCapabilities(declared: unknown): JsonObject {
  const given = isJsonObject(declared) ? declared : {};
  const used = Object.entries(usedMembers).flatMap(([capability, modes]) => {
    const found = given[capability];
    return isJsonObject(found) ? [[capability, keptModes(found, modes)] as const] : [];
  });
  return Object.fromEntries(used);
}

const usedMembers: Readonly<Record<string, readonly string[]>> = { elicitation: ['form', 'url'], sampling: ['tools'], roots: [] };

function keptModes(found: JsonObject, modes: readonly string[]): JsonObject {
  const kept = modes.filter((mode) => mode in found);
  // One with unknown members only is not the same as one with none.
  const isOther = kept.length === 0 && Object.keys(found).length > 0;
  return Object.fromEntries((isOther ? ['other'] : kept).map((mode) => [mode, {}]));
}
