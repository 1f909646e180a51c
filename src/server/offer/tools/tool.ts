// tools/: one small file for each tool: its name, schemas, role, and one question to the editor. toolTable.ts lists them.
import type * as z from 'zod';
import type { JsonObject } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/rolesAndClaims.ts';
import type { CallContext, PreparedCall, Tool, ToolOutcome, ToolOutput } from '../catalog/catalog.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import type { PathNames } from '../../access/policyPaths.ts';
import type { Viewer } from '../../seen/viewer.ts';
import { Measured } from './answers.ts';
import { argumentReader, firstProblem, inputSchema, outputSchema } from './toolSchemas.ts';

/** The editor as one client may see it. */
export type EditorFor = (viewer: Viewer) => EditorPort;

export interface EditorCall {
  readonly editor: EditorPort;
  readonly call: CallContext;
}

interface ToolCall extends EditorCall {
  /** Puts a block of content (an image) behind the text; it is no part of the structure. */
  attach(block: JsonObject): void;
}

/** A tool of the editor before it is joined to one. `listing` is its entry in `tools/list` for the newest revision. */
export interface EditorTool extends Omit<Tool, 'prepare'> {
  /** What it takes and answers, in full depth. */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  prepare(args: unknown): PreparedEditorCall;
}

type PreparedEditorCall =
  | { readonly kind: 'ready'; readonly paths: readonly string[]; run(context: ToolCall): Promise<EditorAnswer> | EditorAnswer }
  | Extract<PreparedCall, { kind: 'badArguments' }>;

type EditorAnswer = Pick<ToolOutput, 'output' | 'structure' | 'toText'>;

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
  readonly call: (input: z.output<Input>, context: ToolCall) => Promise<Answer<z.input<Output>>> | Answer<z.input<Output>>;
  /** The same for a model: compact plain text with every fact. Left out: the JSON. A measured answer was measured with it. */
  readonly toText?: (output: z.input<Output>) => string;
}

type Answer<Output> = Output | Measured<Output>;

/** Whether it destroys or can be repeated says nothing of a tool that only looks. */
export type ToolAnnotations =
  | { readonly readOnlyHint: true; readonly openWorldHint: false }
  | {
      readonly readOnlyHint: false;
      readonly destructiveHint: boolean;
      readonly idempotentHint: boolean;
      readonly openWorldHint: boolean;
    };

/** Looks at the editor, changes nothing, reaches nothing outside. */
export const looksOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Output is typed by its schema but not parsed again at run time: a test holds each tool to it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(definition: ToolDefinition<Input, Output>): EditorTool {
  const { name, title, description, annotations, role, acts = false, asks = 'role', taskSupport } = definition;
  const readArguments = argumentReader(definition.input);
  return {
    name,
    input: definition.input,
    output: definition.output,
    role,
    acts,
    asks,
    taskSupport,
    listing: {
      name,
      title,
      description,
      inputSchema: inputSchema(definition.input),
      outputSchema: outputSchema(definition.output),
      annotations: { ...annotations },
      ...(taskSupport !== undefined && { execution: { taskSupport } }),
    },
    prepare: (args) => {
      const parsed = readArguments(args ?? {});
      return parsed.success
        ? { kind: 'ready', paths: pathsIn(parsed.data), run: (context) => answerOf(definition, parsed.data, context) }
        : { kind: 'badArguments', ...firstProblem(parsed.error) };
    },
  };
}

/** A promise only where the tool has to wait. */
function answerOf<Input extends z.ZodObject, Output extends z.ZodObject>(
  { call, toText }: ToolDefinition<Input, Output>,
  input: z.output<Input>,
  context: ToolCall,
): Promise<EditorAnswer> | EditorAnswer {
  const toAnswer = (answer: Answer<z.input<Output>>): EditorAnswer => {
    if (answer instanceof Measured) {
      return { output: answer.output, structure: answer.structure, toText: () => answer.text };
    }
    return { output: answer, ...(toText !== undefined && { toText: () => toText(answer) }) };
  };
  const answer = call(input, context);
  return answer instanceof Promise ? answer.then(toAnswer) : toAnswer(answer);
}

/** What a tool answers to these arguments, for what is filled by it. */
export async function outputOf(tool: EditorTool, args: JsonObject, context: EditorCall): Promise<object> {
  const prepared = tool.prepare(args);
  if (prepared.kind === 'badArguments') {
    throw new Error(`${tool.name} cannot be called with ${JSON.stringify(args)}: ${prepared.reason}`);
  }
  return (await prepared.run({ ...context, attach: () => undefined })).output;
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
        const attached: JsonObject[] = [];
        const answer = prepared.run({ editor: editorFor(call.viewer), call, attach: (block) => attached.push(block) });
        const toOutcome = ({ output, structure, toText }: EditorAnswer): ToolOutcome => ({
          kind: 'output',
          output,
          structure,
          toText,
          attached,
        });
        return answer instanceof Promise ? answer.then(toOutcome) : toOutcome(answer);
      };
      return { kind: 'ready', paths: prepared.paths.flatMap(namesOf), run };
    },
  };
}

/** By these names a tool is told of files, in the arguments themselves or in a list of them. */
const pathMembers: ReadonlySet<string> = new Set(['path', 'moveTo']);

/** Every path that a call names: the policy looks at all of them. */
function pathsIn(input: object): readonly string[] {
  const paths: string[] = [];
  for (const name of Object.keys(input)) {
    const value: unknown = Reflect.get(input, name);
    if (Array.isArray(value)) {
      paths.push(...value.filter(isObject).flatMap(pathsIn));
    } else if (typeof value === 'string' && pathMembers.has(name)) {
      paths.push(value);
    }
  }
  return paths;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
