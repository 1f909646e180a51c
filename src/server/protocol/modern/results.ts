import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { ServerIdentity } from '../clients/serverIdentity.ts';
import { metaKey } from '../../../contract/protocolNames.ts';

const minute = 60_000;

/**
 * How long a client may rely on an answer. Lists of tools and prompts change rarely and by notice; what the editor shows
 * changes with every keystroke. Only `server/discover` is the same for every client.
 */
const cacheHints: Readonly<Record<string, string>> = {
  'server/discover': hint(5 * minute, 'public'),
  'tools/list': hint(minute, 'private'),
  'prompts/list': hint(minute, 'private'),
  'resources/templates/list': hint(minute, 'private'),
  'resources/list': hint(0, 'private'),
  'resources/read': hint(0, 'private'),
};

function hint(ttlMs: number, cacheScope: 'public' | 'private'): string {
  return `,"ttlMs":${ttlMs},"cacheScope":"${cacheScope}"`;
}

/** Adds to a result, as JSON text, what every one carries in this revision. */
export class ResultTexts {
  readonly #meta: JsonObject;
  readonly #start: string;

  constructor(identity: ServerIdentity) {
    this.#meta = { [metaKey.serverInfo]: { ...identity } };
    this.#start = `{"resultType":"complete","_meta":${JSON.stringify(this.#meta)}`;
  }

  /** A text that has its type already is left as it is. */
  complete(method: string, result: string): string {
    if (result.startsWith('{"resultType":')) {
      return result;
    }
    const plain = result.includes('"_meta"') ? this.#withoutMeta(result) : { start: this.#start, result };
    const start = `${plain.start}${cacheHints[method] ?? ''}`;
    return plain.result === '{}' ? `${start}}` : `${start},${plain.result.slice(1)}`;
  }

  #withoutMeta(text: string): { readonly start: string; readonly result: string } {
    const { _meta: own, ...rest } = JSON.parse(text) as JsonObject;
    const start = isJsonObject(own) ? `{"resultType":"complete","_meta":${JSON.stringify({ ...this.#meta, ...own })}` : this.#start;
    return { start, result: JSON.stringify(rest) };
  }
}
