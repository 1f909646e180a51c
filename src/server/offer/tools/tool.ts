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

/** Returns the editor as one client may see it. */
export type EditorFor = (viewer: Viewer) => EditorPort;

export interface EditorCall {
  readonly editor: EditorPort;
  readonly call: CallContext;
}

interface ToolCall extends EditorCall {
  /** Adds a block of content, such as an image, after the text; it is not part of the structured answer. */
  attach(block: JsonObject): void;
}

/** A tool that is not yet bound to an editor. `listing` is its entry in `tools/list` for the newest revision. */
export interface EditorTool extends Omit<Tool, 'prepare'> {
  /** The complete schemas of arguments and answer; `listing` has shortened ones. */
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
  /** Whether the tool changes or runs something; by default it only looks. */
  readonly acts?: boolean | undefined;
  readonly asks?: Tool['asks'] | undefined;
  readonly taskSupport?: Tool['taskSupport'];
  /** Does the work. The sentence of an AppError that it throws is told to the client. */
  readonly call: (input: z.output<Input>, context: ToolCall) => Promise<Answer<z.input<Output>>> | Answer<z.input<Output>>;
  /**
   * Writes the answer as compact plain text for a model, with every fact. Without it, models get the JSON. A `Measured` answer must
   * have been measured with it.
   */
  readonly toText?: (output: z.input<Output>) => string;
}

type Answer<Output> = Output | Measured<Output>;

/** The annotations of MCP. A tool that only looks needs no hints about destroying or repeating. */
export type ToolAnnotations =
  | { readonly readOnlyHint: true; readonly openWorldHint: false }
  | {
      readonly readOnlyHint: false;
      readonly destructiveHint: boolean;
      readonly idempotentHint: boolean;
      readonly openWorldHint: boolean;
    };

/** Annotations of a tool that looks at the editor, changes nothing and reaches nothing outside. */
export const looksOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Makes a tool. Its answer is typed by the output schema but not validated at run time; a test validates the answers of every tool. */
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

/** Runs the tool; returns a promise only if the tool has to wait. */
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

/** Calls a tool from our own code, for resources and prompts that show its answer. */
export async function outputOf(tool: EditorTool, args: JsonObject, context: EditorCall): Promise<object> {
  const prepared = tool.prepare(args);
  if (prepared.kind === 'badArguments') {
    throw new Error(`${tool.name} cannot be called with ${JSON.stringify(args)}: ${prepared.reason}`);
  }
  return (await prepared.run({ ...context, attach: () => undefined })).output;
}

/** Binds a tool to the editor, as each client may see it. */
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

/** The parameters that name files, in the arguments themselves or in a list of objects. */
const pathMembers: ReadonlySet<string> = new Set(['path', 'moveTo']);

/** Returns every path in the arguments of a call; the policy checks all of them. */
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
