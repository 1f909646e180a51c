// modern/: revision 2026-07-28. It has no sessions: every request says for itself who asks and in which version, questions to the
// client are answers to its request, and the server decides which calls become tasks. modernClient.ts is one client.
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { metaKey, skillsExtension, tasksExtension } from '../../../contract/protocolNames.ts';
import { commonCapabilities, type ProtocolServices, type ServerIdentity } from '../clients/protocolServices.ts';
import type { Method } from '../methods/methodDispatch.ts';
import { createSkillMethods } from '../methods/skillMethods.ts';
import { supportedVersions } from './envelope.ts';
import { RequestStates } from './inputRounds.ts';
import { ModernClient, type ModernClientOptions } from './modernClient.ts';

/** The services that all clients of the revision without sessions share. */
export interface ModernShared extends ProtocolServices {
  readonly states: RequestStates;
  readonly results: ResultTexts;
}

/**
 * Speaks revision 2026-07-28. A transport asks `isModernMessage` (envelope.ts) whether a parsed message belongs here, gets
 * a client from `SessionDirectory.openModern` (one per WebSocket) or `SessionDirectory.stateless` (one per credential, for
 * POSTs), and hands each message to `client.receive(message, sink)`:
 *
 * - the receipt is like that of `Session.receive`: `invalid` carries a -32600 answer to send; otherwise the sink gets
 *   `notify` (progress, logs, subscription events) and then `respond`, or `abandon` when the request was cancelled;
 * - `receipt.cancel()` cancels this request: for transports where closing a stream does. Over a WebSocket
 *   `notifications/cancelled` is just another message;
 * - `client.dispose()` when the connection goes: subscriptions are answered with their empty result, the rest is cancelled.
 */
export class ModernDispatcher {
  readonly #shared: ModernShared;

  constructor(services: ProtocolServices) {
    const { catalog, methods, identity } = services;
    const extensions = { [tasksExtension]: {}, ...(catalog.skills !== undefined && { [skillsExtension]: {} }) };
    const capabilities = { ...commonCapabilities, extensions };
    const discover: Method = async () => JSON.stringify({ supportedVersions, capabilities, instructions: catalog.instructions });
    this.#shared = {
      ...services,
      methods: new Map([...methods, ...createSkillMethods(catalog), ['server/discover', discover]]),
      states: new RequestStates(services.clock),
      results: new ResultTexts(identity),
    };
  }

  open(options: ModernClientOptions): ModernClient {
    return new ModernClient(this.#shared, options);
  }
}

const minute = 60_000;

/**
 * How long a client may cache an answer. Lists of tools and prompts change rarely, and clients are told; what the editor shows
 * changes with every key. Only `server/discover` is the same for every client.
 */
const cacheHints: Readonly<Record<string, string>> = {
  'server/discover': hint(5 * minute, 'public'),
  'tools/list': hint(minute, 'private'),
  'prompts/list': hint(minute, 'private'),
  'resources/templates/list': hint(minute, 'private'),
  'skills/list': hint(minute, 'private'),
  'skills/get': hint(minute, 'private'),
  'resources/list': hint(0, 'private'),
  'resources/read': hint(0, 'private'),
};

function hint(ttlMs: number, cacheScope: 'public' | 'private'): string {
  return `,"ttlMs":${ttlMs},"cacheScope":"${cacheScope}"`;
}

/** Adds to a result, as JSON text, the members that every result has in this revision. */
class ResultTexts {
  readonly #meta: JsonObject;
  readonly #start: string;

  constructor(identity: ServerIdentity) {
    this.#meta = { [metaKey.serverInfo]: { ...identity } };
    this.#start = `{"resultType":"complete","_meta":${JSON.stringify(this.#meta)}`;
  }

  /** Completes a result; one that already has a `resultType` is returned unchanged. */
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
