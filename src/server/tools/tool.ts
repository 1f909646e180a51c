import * as z from 'zod';
import type { JsonObject } from '../../base/json.ts';
import type { Role } from '../../contract/questions.ts';
import type { EditorPort } from '../ports.ts';

export interface ToolContext {
  readonly editor: EditorPort;
  /** Made on demand; aborted when the client cancels or goes. */
  readonly signal: () => AbortSignal;
}

export type PreparedCall =
  | { readonly kind: 'ready'; run(context: ToolContext): Promise<object> | object }
  | { readonly kind: 'badArguments'; readonly parameter: string; readonly reason: string };

/** What the server knows of a tool. `listing` is its entry in `tools/list` for the newest revision. */
export interface Tool {
  readonly name: string;
  readonly role: Role;
  readonly listing: JsonObject;
  prepare(args: unknown): PreparedCall;
}

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly role: Role;
  call(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Looks at the editor, changes nothing, reaches nothing outside. */
export const looksOnly: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Output is typed by its schema but not parsed again at run time: a test holds each tool to it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(definition: ToolDefinition<Input, Output>): Tool {
  const { name, title, description, annotations, role } = definition;
  return {
    name,
    role,
    listing: {
      name,
      title,
      description,
      inputSchema: jsonSchema(definition.input),
      outputSchema: jsonSchema(definition.output),
      annotations: { title, ...annotations },
    },
    prepare: (args) => {
      const parsed = definition.input.safeParse(args ?? {});
      return parsed.success
        ? { kind: 'ready', run: (context) => definition.call(parsed.data, context) }
        : { kind: 'badArguments', ...firstProblem(parsed.error) };
    },
  };
}

/** As a caller sees it: members with a default are optional, and more members may come later. */
function jsonSchema(schema: z.ZodObject): JsonObject {
  const members = Object.entries(z.toJSONSchema(schema, { io: 'input' })).filter(([name]) => name !== '$schema');
  return Object.fromEntries(members) as JsonObject;
}

function firstProblem(error: z.ZodError): { readonly parameter: string; readonly reason: string } {
  const [issue] = error.issues;
  if (issue === undefined) {
    return { parameter: '', reason: 'invalid' };
  }
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey];
  return { parameter: path.map(String).join('.'), reason: issue.message };
}
