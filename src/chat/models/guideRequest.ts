import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ModelTool } from '../modelProvider.ts';
import type { SchemaField } from '../../schemaForms/schemaField.ts';
import { toolParameters } from '../../schemaForms/toolArguments.ts';

/** What a plain sentence asks of the offline guide. */
export type GuideRequest =
  | { readonly kind: 'run'; readonly tool: ModelTool; readonly args: JsonObject }
  | { readonly kind: 'badArguments'; readonly tool: ModelTool }
  | { readonly kind: 'needsArguments'; readonly tool: ModelTool; readonly given: JsonObject; readonly missing: readonly string[] }
  | { readonly kind: 'ambiguousTool'; readonly name: string; readonly matches: readonly ModelTool[] }
  | { readonly kind: 'unknownTool'; readonly name: string; readonly near: readonly ModelTool[] }
  | { readonly kind: 'tools'; readonly server: string | undefined }
  | { readonly kind: 'read'; readonly resource: string }
  | { readonly kind: 'greeting' | 'help' | 'prompts' | 'other' };

export function readGuideRequest(text: string, tools: readonly ModelTool[]): GuideRequest {
  const plain = text.trim().replace(/^please\s+/i, '');
  const run = /^(?:run|call|use|execute|invoke|try)\s+([\s\S]+)$/i.exec(plain);
  if (run?.[1] !== undefined) {
    return readRun(run[1], tools);
  }
  const read = /^(?:read|open|show)\s+(?:the\s+)?(?:resource\s+)?(\S+)\s*$/i.exec(plain);
  if (read?.[1] !== undefined && !/^tools$/i.test(read[1])) {
    return { kind: 'read', resource: read[1] };
  }
  const list = /^(?:list\s+|show\s+)?(?:me\s+)?(?:the\s+|all\s+)*tools(?:\s+(?:of\s+|from\s+)?(.+?))?[\s.?!]*$/i.exec(plain);
  if (list !== null || /what tools/i.test(plain)) {
    return { kind: 'tools', server: list?.[1] };
  }
  if (plain.startsWith('/')) {
    return { kind: 'prompts' };
  }
  if (/^(?:hi|hello|hey|good (?:morning|day|evening)|hallo|salut|hola)\b[\s!.,]*$/i.test(plain)) {
    return { kind: 'greeting' };
  }
  return { kind: /^(?:help|\?)[\s.?!]*$|what can you do|how does this work|who are you/i.test(plain) ? 'help' : 'other' };
}

function readRun(rest: string, tools: readonly ModelTool[]): GuideRequest {
  const found = findTool(rest, tools);
  if (found === undefined) {
    const name = wordsBeforeArguments(rest);
    return { kind: 'unknownTool', name, near: nearTools(name, tools) };
  }
  if (found.matches.length > 1) {
    return { kind: 'ambiguousTool', name: found.phrase, matches: found.matches };
  }
  const [tool] = found.matches as readonly [ModelTool];
  const parameters = toolParameters(tool.inputSchema);
  const args = readArguments(rest.slice(found.length), parameters);
  if (args === undefined) {
    return { kind: 'badArguments', tool };
  }
  const missing = parameters.required.map(({ name }) => name).filter((name) => args[name] === undefined);
  return missing.length > 0 ? { kind: 'needsArguments', tool, given: args, missing } : { kind: 'run', tool, args };
}

interface FoundTool {
  readonly matches: readonly ModelTool[];
  readonly phrase: string;
  readonly length: number;
}

/** The longest way of naming a tool that the sentence begins with: "echo", "everything echo", "echo of everything" … */
function findTool(rest: string, tools: readonly ModelTool[]): FoundTool | undefined {
  const lower = rest.toLowerCase().replace(/[`"'“”]/g, ' ');
  let best: FoundTool | undefined;
  for (const tool of tools) {
    for (const phrase of waysToName(tool)) {
      const start = /^(?:\s|the\s|tool\s)*/.exec(lower)?.[0].length ?? 0;
      const end = start + phrase.length;
      if (!lower.startsWith(phrase.toLowerCase(), start) || /[\w-]/.test(lower[end] ?? ' ')) {
        continue;
      }
      if (best === undefined || end > best.length) {
        best = { matches: [tool], phrase, length: end };
      } else if (end === best.length && !best.matches.includes(tool)) {
        best = { ...best, matches: [...best.matches, tool] };
      }
    }
  }
  return best;
}

function waysToName({ server, tool, name }: ModelTool): readonly string[] {
  const joined = [' ', '.', '/', ':'].map((between) => server + between + tool);
  return [tool, name, ...joined, ...[' of ', ' from ', ' on '].map((between) => tool + between + server)];
}

function wordsBeforeArguments(rest: string): string {
  return (rest.split(/\{|\swith\s|\s\w+=/)[0] ?? rest)
    .replace(/[`"'“”]/g, '')
    .trim()
    .slice(0, 100);
}

function nearTools(name: string, tools: readonly ModelTool[]): readonly ModelTool[] {
  const words = name
    .toLowerCase()
    .split(/[\s._/-]+/)
    .filter((word) => word.length > 2);
  return tools.filter(({ tool }) => words.some((word) => tool.toLowerCase().includes(word))).slice(0, 5);
}

/** JSON, `name=value` pairs, or, for a tool with a single text argument, just the text. */
function readArguments(rest: string, parameters: SchemaField): JsonObject | undefined {
  const text = rest
    .replace(/^[`"'“”]/, '')
    .trim()
    .replace(/^(?:with|using)\b\s*/i, '')
    .replace(/^(?:the\s+)?(?:arguments?|args)\b[:\s]*/i, '')
    .replace(/^:\s*/, '');
  if (/^(?:tool|now)?[\s.?!]*$/i.test(text)) {
    return {};
  }
  if (text.startsWith('{')) {
    return parseObject(text.slice(0, text.lastIndexOf('}') + 1));
  }
  const pairs = [...text.matchAll(/([\w.-]+)=("[^"]*"|\S+)/g)];
  if (pairs.length > 0) {
    return Object.fromEntries(
      pairs.map(([, name = '', value = '']) => [name, typed(value.replace(/^"|"$/g, ''), typeOf(parameters, name))]),
    );
  }
  const [only, ...others] = parameters.required;
  const isText = only !== undefined && others.length === 0 && typeOf(parameters, only.name) === 'string';
  return isText ? { [only.name]: text.replace(/^["“'`]|["”'`]$/g, '') } : undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function typeOf({ properties }: SchemaField, name: string): string | undefined {
  const types = properties?.find((field) => field.name === name)?.types ?? [];
  return types.length === 1 ? types[0] : undefined;
}

function typed(value: string, type: string | undefined): JsonValue {
  if ((type === 'number' || type === 'integer') && value !== '' && Number.isFinite(Number(value))) {
    return Number(value);
  }
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}
