import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { ownCallKey } from '../../contract/protocolNames.ts';
import type { CallTimer } from '../features/callTimer.ts';
import { type Client, type CreatedClient, definitionOf, type Schemas } from '../shared/sdk.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import type { CallOptions } from './serverSession.ts';

type RequestOptions = NonNullable<Parameters<Client['callTool']>[1]>;

/** Calls tools with a plain request, which is answered by the result itself or, in 2026-07-28, by a task. */
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
    // There is one request, and the SDK removes its listener from the signal when the request settles.
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

/** The most controllers that are kept: more requests are seldom under way at a time. */
const maxSpare = 32;

/**
 * Keeps abort controllers for reuse, because making one takes a third of the time of a call. A controller that never fired
 * can serve another request.
 */
export class SpareControllers {
  readonly #spare: AbortController[] = [];

  /** Runs one request whose signal fires when the call is over. The request must have removed its listener when it settles. */
  async during<T>(timer: CallTimer, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = this.#spare.pop() ?? new AbortController();
    timer.request = controller;
    try {
      return await request(controller.signal);
    } finally {
      timer.request = undefined;
      if (!controller.signal.aborted && this.#spare.length < maxSpare) {
        this.#spare.push(controller);
      }
    }
  }
}

/** The shape of a schema that the SDK checks answers with. */
type ResultSchema = Schemas['CallToolResult'];

/** Fields that mark other kinds of answers. Such an answer without content must not pass for the empty result of a tool. */
const otherKinds = ['task', 'inputRequests', 'requestState'] as const;

/**
 * Checks answers of revisions before 2026-07-28 as strictly as the SDK's own `callTool` does, but faster. The SDK first
 * validates an empty value at every call and formats all its errors, which takes as long as everything that is done here for
 * permission.
 */
export function legacyResultSchema({ CallToolResult, RequestMeta }: Schemas): ResultSchema {
  const { validate } = CallToolResult['~standard'];
  return {
    '~standard': {
      ...CallToolResult['~standard'],
      validate: (value) => {
        const issue = issueWith(value);
        if (issue !== undefined) {
          return { issues: [{ message: issue }] };
        }
        const meta = isJsonObject(value) ? value['_meta'] : undefined;
        const wrongMeta = meta === undefined ? undefined : RequestMeta['~standard'].validate(meta);
        return wrongMeta?.issues === undefined ? validate(value) : wrongMeta;
      },
    },
  };
}

/** Finds what the older revisions forbid and the newest allows. */
function issueWith(value: unknown): string | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { content, structuredContent } = value;
  const other = content === undefined ? otherKinds.find((key) => key in value) : undefined;
  if (other !== undefined) {
    return `it has no content, but '${other}'`;
  }
  return structuredContent === undefined || isJsonObject(structuredContent) ? undefined : 'its structuredContent is no object';
}
