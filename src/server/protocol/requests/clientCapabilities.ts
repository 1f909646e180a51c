import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { InputRequest } from '../../offer/catalog/catalog.ts';

/** Returns the capabilities that these requests need and the client did not declare; `undefined` if none is missing. */
export function missingCapabilities(requests: Readonly<Record<string, InputRequest>>, declared: JsonObject): JsonObject | undefined {
  const missing: Record<string, JsonObject> = {};
  for (const request of Object.values(requests)) {
    const [capability, mode] = neededFor(request);
    const found = declared[capability];
    // In older revisions an elicitation capability without members means forms.
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

/** Keeps only the capabilities that are ever used: what a client declares may have megabytes. */
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
  // A capability with unknown members only is not the same as an empty one.
  const isOther = kept.length === 0 && Object.keys(found).length > 0;
  return Object.fromEntries((isOther ? ['other'] : kept).map((mode) => [mode, {}]));
}
