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
