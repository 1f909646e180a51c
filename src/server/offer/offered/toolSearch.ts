import { collectInSlices } from '../../../base/slices.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { CallContext, MeantCall, PreparedCall, Tool, ToolOutput } from '../catalog/catalog.ts';

/** The offered tools, as far as they are searched. */
interface SearchedTools {
  all(): readonly Tool[];
  find(name: string): Tool | undefined;
}

/** The most tools of one answer. */
const maxFound = 10;
/** The most characters of JSON of the tools of one answer; the best match is in it however long it is. */
const maxCharacters = 20_000;
/** The most characters of a query; a longer one is refused. */
const maxQueryLength = 1_000;
/** The most words of a query that are looked for. */
const maxWords = 20;
/** The most characters of a tool's title and description in which words are looked for: servers write those. */
const maxSearched = 2_000;

/** The two tools that stand for many: one finds them, the other calls them. */
export function searchTools(tools: SearchedTools): readonly Tool[] {
  return [findTools(tools), callTool(tools)];
}

function findTools(tools: SearchedTools): Tool {
  return {
    name: 'find_tools',
    role: 'runner',
    acts: false,
    asks: 'role',
    listing: {
      name: 'find_tools',
      title: 'Find tools',
      description:
        'Finds tools of the other MCP servers that the person offers through this editor, by words of what you want to do. Call what it finds with call_tool.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', description: 'What the tool should do, or the name of a server' } },
        required: ['query'],
      },
      outputSchema: {
        type: 'object',
        properties: {
          tools: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, description: { type: 'string' }, inputSchema: { type: 'object', properties: {} } },
              required: ['name', 'description', 'inputSchema'],
            },
          },
          note: { type: 'string' },
        },
        required: ['tools'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    prepare: (args) => prepareFind(args, tools),
  };
}

function prepareFind(args: unknown, tools: SearchedTools): PreparedCall {
  const query = isJsonObject(args) ? args.query : undefined;
  if (typeof query !== 'string' || query.length > maxQueryLength) {
    return { kind: 'badArguments', parameter: 'query', reason: `expected a text of at most ${maxQueryLength} characters` };
  }
  return { kind: 'ready', paths: [], run: (call) => find(query, tools, call) };
}

/** Finds tools in slices of work: there may be thousands, with descriptions that are made to be slow. */
async function find(query: string, tools: SearchedTools, call: CallContext): Promise<ToolOutput> {
  const words = wordsOf(query);
  const seen = await collectInSlices(tools.all(), (tool) => (call.hides(tool) ? undefined : { tool, score: scoreOf(tool, words) }));
  const ranked = seen.filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score);
  let room = maxCharacters;
  const shown = ranked.slice(0, maxFound).filter(({ tool }, index) => {
    room -= JSON.stringify(tool.listing).length;
    return index === 0 || room >= 0;
  });
  const found = shown.map(({ tool: { name, listing } }) => ({
    name,
    description: textOf(listing.description),
    inputSchema: isJsonObject(listing.inputSchema) ? listing.inputSchema : {},
  }));
  const note = noteOf(found.length, ranked.length, seen.length);
  return { kind: 'output', output: { tools: found, ...(note !== undefined && { note }) } };
}

function noteOf(shown: number, found: number, all: number): string | undefined {
  if (found === 0) {
    return `None of the ${all} tools matches; try other words, or the name of a server.`;
  }
  return found > shown ? `${found - shown} more tools match; say more of what you want.` : undefined;
}

/** A word in the name counts most, then one in the description. */
function scoreOf({ name, listing }: Tool, words: readonly string[]): number {
  const [inName, inText] = [
    name.toLowerCase(),
    `${textOf(listing.title)} ${textOf(listing.description)}`.slice(0, maxSearched).toLowerCase(),
  ];
  return words.reduce((sum, word) => sum + (inName.includes(word) ? 3 : 0) + (inText.includes(word) ? 1 : 0), 0);
}

function wordsOf(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}]+/u))].filter((word) => word.length > 1).slice(0, maxWords);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function callTool(tools: SearchedTools): Tool {
  return {
    name: 'call_tool',
    role: 'runner',
    acts: true,
    asks: 'call',
    listing: {
      name: 'call_tool',
      title: 'Call a tool',
      description: 'Calls a tool that find_tools found. The person is asked about the call as about any other call of that tool.',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name as find_tools gave it' },
          arguments: { type: 'object', properties: {}, additionalProperties: true, description: 'What its inputSchema asks for' },
        },
        required: ['name'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    standsFor: (args) => meantBy(args, tools),
    prepare: () => ({ kind: 'badArguments', parameter: 'name', reason: 'no such tool' }),
  };
}

function meantBy(args: unknown, tools: SearchedTools): MeantCall {
  const { name, arguments: given = {} }: JsonObject = isJsonObject(args) ? args : {};
  const tool = typeof name === 'string' ? tools.find(name) : undefined;
  if (tool === undefined) {
    return { kind: 'badArguments', parameter: 'name', reason: 'no such tool; find_tools gives the names' };
  }
  return isJsonObject(given)
    ? { kind: 'call', tool, arguments: given }
    : { kind: 'badArguments', parameter: 'arguments', reason: 'expected an object' };
}
