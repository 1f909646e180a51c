// tools/: one small file for each tool: its name, schemas, role, and one question to the editor. toolTable.ts lists them.
import type * as z from 'zod';
import { AppError, isAppError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/rolesAndClaims.ts';
import type { CallContext, PreparedCall, Tool, ToolOutcome, ToolOutput } from '../catalog/catalog.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import { folderPrefixes } from '../../../platform/paths/clientPath.ts';
import type { PathNames } from '../../access/policyPaths.ts';
import type { Viewer } from '../../seen/viewer.ts';
import { Measured } from './answers.ts';
import { argumentReader, inputSchema, outputSchema } from './toolSchemas.ts';

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
  | {
      readonly kind: 'ready';
      readonly paths: readonly string[];
      readonly renamed?: unknown;
      run(context: ToolCall): Promise<EditorAnswer> | EditorAnswer;
    }
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
      const read = readArguments(args ?? {});
      if (read.kind === 'badArguments') {
        return read;
      }
      const { data, renamed } = read;
      return { kind: 'ready', paths: pathsIn(data), renamed, run: (context) => answerOf(definition, data, context) };
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
        const editor = editorFor(call.viewer);
        const answer = prepared.run({ editor, call, attach: (block) => attached.push(block) });
        const toOutcome = ({ output, structure, toText }: EditorAnswer): ToolOutcome => ({
          kind: 'output',
          output,
          structure,
          toText,
          attached,
        });
        const fail = (error: unknown): never => {
          throw withAdvice(error, editor.listWorkspaceFolders());
        };
        return answer instanceof Promise ? answer.then(toOutcome, fail) : toOutcome(answer);
      };
      return { kind: 'ready', paths: prepared.paths.flatMap(namesOf), renamed: prepared.renamed, run };
    },
  };
}

/** The most folders that an error names. */
const maxFolders = 5;

/**
 * Adds to the error about a missing path what to try instead. It says the same of a path that is withheld, because it goes by the
 * path alone and looks at no file.
 */
function withAdvice(error: unknown, folders: readonly { readonly name: string }[]): unknown {
  if (!isAppError(error) || error.code !== 'editor.pathNotFound') {
    return error;
  }
  const path = String(error.args.path);
  const prefixes = folderPrefixes(folders).filter((prefix) => prefix !== '');
  const isPrefixed =
    prefixes.length === 0 || /^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(path) || prefixes.some((prefix) => path.startsWith(prefix));
  const examples = prefixes.slice(0, maxFolders).map((prefix) => `"${prefix}${path.slice(0, maxShownPath)}"`);
  const advice = isPrefixed
    ? 'find_files and list_directory show what there is.'
    : `It has several folders, so a path begins with the name of one, also of a new file: ${examples.join(' or ')}.`;
  return new AppError(error.code, `${error.message} ${advice}`, { args: error.args, cause: error });
}

/** The longest path that an error repeats for each folder. */
const maxShownPath = 200;

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
    } else if (isObject(value)) {
      paths.push(...pathsIn(value));
    }
  }
  return paths;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
