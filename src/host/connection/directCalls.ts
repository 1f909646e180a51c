import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { ownCallKey } from '../../contract/protocolNames.ts';
import type { CallTimer } from '../features/callTimer.ts';
import { type Client, type CreatedClient, definitionOf, type Schemas } from '../shared/sdk.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import type { CallOptions } from './serverSession.ts';

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

/** More requests are seldom under way at a time. */
const maxSpare = 32;

/** A signal takes as long to make as a third of a call; one that never fired serves the next request as well. */
export class SpareControllers {
  readonly #spare: AbortController[] = [];

  /** One request, which is told when the call is over. It must have taken its listener away when it settles. */
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

/** What the SDK takes to hold an answer against. */
type ResultSchema = Schemas['CallToolResult'];

/** Answers of other kinds; without content, such a one must not pass for the empty result of a tool. */
const otherKinds = ['task', 'inputRequests', 'requestState'] as const;

/**
 * What the SDK's own `callTool` holds an answer of before 2026-07-28 against. There it first tries that on nothing, at every call,
 * and writes down what is wrong with nothing: that takes as long as all that is done here for permission.
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

/** What the older revisions forbid, and the newest does not. */
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
