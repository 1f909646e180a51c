import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import type { CallContext, InputRequest, InputRequired, Tool, ToolOutcome } from '../../../../src/server/offer/catalog/catalog.ts';

export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

type Run = (args: JsonObject, call: CallContext) => Promise<ToolOutcome> | ToolOutcome;

interface Extras {
  readonly inputSchema?: JsonObject;
  readonly taskSupport?: Tool['taskSupport'];
  readonly gather?: (call: CallContext) => InputRequired | undefined;
}

/** A tool of the suite: its schema is only shown, its arguments are taken as they come. */
export function fixtureTool(name: string, description: string, run: Run, { inputSchema, taskSupport, gather }: Extras = {}): Tool {
  return {
    name,
    role: 'reader',
    acts: false,
    asks: 'role',
    taskSupport,
    listing: {
      name,
      description,
      inputSchema: inputSchema ?? { type: 'object', properties: {} },
      ...(taskSupport !== undefined && { execution: { taskSupport } }),
    },
    prepare: (args) => ({
      kind: 'ready',
      paths: [],
      ...(gather !== undefined && { gather }),
      run: (call) => run((args ?? {}) as JsonObject, call),
    }),
  };
}

export function strings(...names: string[]): JsonObject {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
}

export function content(...items: JsonObject[]): ToolOutcome {
  return { kind: 'result', result: { content: items } };
}

export function text(line: string): ToolOutcome {
  return content({ type: 'text', text: line });
}

export function failure(line: string): ToolOutcome {
  return { kind: 'result', result: { content: [{ type: 'text', text: line }], isError: true } };
}

export function asking(requests: Readonly<Record<string, InputRequest>>, state?: JsonValue): InputRequired {
  return { kind: 'inputRequired', requests, state };
}

export function form(message: string, properties: JsonObject, required: readonly string[] = Object.keys(properties)): InputRequest {
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required: [...required] } },
  };
}

export function sample(prompt: string): InputRequest {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 },
  };
}

export function words(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** A member of the form that a client filled in. */
export function answer(response: JsonObject | undefined, member: string): JsonValue | undefined {
  const filled = response?.content as JsonObject | undefined;
  return filled?.[member];
}

/** Rejects when the call is cancelled. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new DOMException('cancelled', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
