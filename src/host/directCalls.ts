import type { JsonObject } from '../base/json.ts';
import { ownCallKey } from '../contract/protocolNames.ts';
import { SpareControllers } from './features/spareControllers.ts';
import type { CallOptions } from './serverSession.ts';
import { legacyResultSchema, type ResultSchema } from './shared/legacyResults.ts';
import { definitionOf, type Client, type CreatedClient } from './shared/sdk.ts';
import type { ToolInfo } from './shared/serverState.ts';

type RequestOptions = NonNullable<Parameters<Client['callTool']>[1]>;

/** Calls that are answered by their own result, or by a task of 2026-07-28. */
export class DirectCalls {
  readonly #client: Client;
  readonly #legacySchema: ResultSchema;
  readonly #spare = new SpareControllers();

  constructor({ client, schemas }: CreatedClient) {
    this.#client = client;
    this.#legacySchema = legacyResultSchema(schemas);
  }

  async call(tool: ToolInfo, args: JsonObject, options: CallOptions): Promise<JsonObject> {
    const { ownCallId, timer } = options;
    const params = { name: tool.name, arguments: args, ...(ownCallId !== undefined && { _meta: { [ownCallKey]: ownCallId } }) };
    const client = this.#client;
    if (client.getProtocolEra() === 'modern') {
      const request = requestOptions(options, timer.signal);
      return (await client.callTool(params, { ...request, toolDefinition: definitionOf(tool) })) as JsonObject;
    }
    // One request, and the SDK takes its listener away when that settles.
    const send = (signal: AbortSignal): Promise<unknown> =>
      client.request({ method: 'tools/call', params }, this.#legacySchema, requestOptions(options, signal));
    return (await this.#spare.during(timer, send)) as JsonObject;
  }
}

function requestOptions({ onProgress, timeoutMs }: CallOptions, signal: AbortSignal): RequestOptions {
  return {
    signal,
    timeout: timeoutMs,
    resetTimeoutOnProgress: true,
    onprogress: ({ progress, total, message }) =>
      onProgress({ value: progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) }),
  };
}
