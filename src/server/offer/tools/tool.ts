// tools/: one small file for each tool: its name, schemas, role, and one question to the editor. toolTable.ts lists them.
import * as z from 'zod';
import type { JsonObject } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions.ts';
import type { CallContext } from '../catalog/callContext.ts';
import type { PreparedCall, Tool } from '../catalog/catalog.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import type { PathNames } from '../../seen/withheld/pathNames.ts';
import type { Viewer } from '../../seen/viewer.ts';

/** The editor as one client may see it. */
export type EditorFor = (viewer: Viewer) => EditorPort;

export interface EditorCall {
  readonly editor: EditorPort;
  readonly call: CallContext;
}

/** A tool of the editor before it is joined to one. `listing` is its entry in `tools/list` for the newest revision. */
export interface EditorTool extends Omit<Tool, 'prepare'> {
  prepare(args: unknown): PreparedEditorCall;
}

type PreparedEditorCall =
  | { readonly kind: 'ready'; readonly paths: readonly string[]; run(context: EditorCall): Promise<object> | object }
  | Extract<PreparedCall, { kind: 'badArguments' }>;

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly role: Role;
  /** Left out: a tool that only looks. */
  readonly acts?: boolean | undefined;
  readonly asks?: Tool['asks'] | undefined;
  readonly taskSupport?: Tool['taskSupport'];
  /** Failures are AppErrors: their sentence goes to the client. */
  call(input: z.output<Input>, context: EditorCall): Promise<z.input<Output>> | z.input<Output>;
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
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(definition: ToolDefinition<Input, Output>): EditorTool {
  const { name, title, description, annotations, role, acts = false, asks = 'role', taskSupport } = definition;
  return {
    name,
    role,
    acts,
    asks,
    taskSupport,
    listing: {
      name,
      title,
      description,
      inputSchema: jsonSchema(definition.input),
      outputSchema: jsonSchema(definition.output),
      annotations: { title, ...annotations },
      ...(taskSupport !== undefined && { execution: { taskSupport } }),
    },
    prepare: (args) => {
      const parsed = parseLeniently(definition.input, args ?? {});
      return parsed.success
        ? { kind: 'ready', paths: pathsIn(parsed.data), run: (context) => definition.call(parsed.data, context) }
        : { kind: 'badArguments', ...firstProblem(parsed.error) };
    },
  };
}

/** Joins a tool to the editor. */
export function bindTool(tool: EditorTool, editorFor: EditorFor, namesOf: PathNames): Tool {
  return {
    ...tool,
    prepare: (args) => {
      const prepared = tool.prepare(args);
      if (prepared.kind === 'badArguments') {
        return prepared;
      }
      const run = (call: CallContext): ReturnType<Extract<PreparedCall, { kind: 'ready' }>['run']> => {
        const output = prepared.run({ editor: editorFor(call.viewer), call });
        return output instanceof Promise ? output.then(toOutcome) : toOutcome(output);
      };
      return { kind: 'ready', paths: prepared.paths.flatMap(namesOf), run };
    },
  };
}

function toOutcome(output: object): { readonly kind: 'output'; readonly output: object } {
  return { kind: 'output', output };
}

function pathsIn(input: object): readonly string[] {
  return 'path' in input && typeof input.path === 'string' ? [input.path] : [];
}

/** Models often write a number in quotes; what it means is plain, so it is taken. Every other mistake is told. */
function parseLeniently<Input extends z.ZodObject>(schema: Input, args: unknown): z.ZodSafeParseResult<z.output<Input>> {
  const parsed = schema.safeParse(args);
  const quoted = parsed.success ? [] : parsed.error.issues.filter(isAboutNumber).map(({ path }) => path);
  return quoted.length === 0 ? parsed : schema.safeParse(quoted.reduce(withoutQuotes, args));
}

function isAboutNumber(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int');
}

const quotedNumber = /^-?\d{1,16}$/;

/** A copy of the value in which the text at this place is the number it spells. */
function withoutQuotes(value: unknown, [member, ...rest]: readonly PropertyKey[]): unknown {
  if (member === undefined) {
    return typeof value === 'string' && quotedNumber.test(value) ? Number(value) : value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const changed = withoutQuotes((value as Readonly<Record<PropertyKey, unknown>>)[member], rest);
  return Array.isArray(value) ? value.with(Number(member), changed) : { ...value, [member]: changed };
}

/** As a caller sees it: members with a default are optional, and more members may come later. */
function jsonSchema(schema: z.ZodObject): JsonObject {
  const written = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema: part }) => dropSafeBounds(part) });
  const members = Object.entries(written).filter(([name]) => name !== '$schema');
  return Object.fromEntries(members) as JsonObject;
}

/** That integers are exact goes without saying, and a model pays for every character. */
function dropSafeBounds(part: z.core.JSONSchema.BaseSchema): void {
  if (part.maximum === Number.MAX_SAFE_INTEGER) {
    delete part.maximum;
  }
  if (part.minimum === Number.MIN_SAFE_INTEGER) {
    delete part.minimum;
  }
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
