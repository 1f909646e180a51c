import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { revealInContent } from '../../base/visibleText.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import { ContentRun, type ContentRunContext } from '../content/contentRun.ts';
import type { ChatContent, ChatToolCall, ChatToolOutcome } from '../content/hostPorts.ts';
import { shortText } from '../content/preparedContent.ts';
import { askToRead, maxAddressLength, type ReadAllowance } from '../content/readQuestion.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ContentOffers, OfferedResource } from '../models/contentOffers.ts';
import type { AttachedBlock, ModelTool, ToolResultBlock } from '../models/modelProvider.ts';
import { keptIn, type KeptResults, wholeCharacters } from './keptResults.ts';

/** The server name that people see for the chat's own tools. */
const ownServer = 'Duplex';

/** A tool of the chat itself. Its name has no `__`, which the name of every server's tool has, so the two never clash. */
export interface OwnTool {
  readonly tool: ModelTool;
  /** Runs the tool. A plain text is what the model reads; an error's message is told to the model. */
  run(call: ChatToolCall): Promise<ChatToolOutcome | string>;
}

export function ownTool(
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
  run: OwnTool['run'],
): OwnTool {
  const inputSchema: JsonObject = { type: 'object', properties, required: [...required], additionalProperties: false };
  return { tool: { name, server: ownServer, tool: name, description, inputSchema, isOwn: true }, run };
}

export async function callOwnTool(own: OwnTool, call: ChatToolCall): Promise<ChatToolOutcome> {
  call.onStart(call.arguments);
  try {
    const said = await own.run(call);
    return typeof said === 'string' ? textOutcome(said) : said;
  } catch (error) {
    call.signal.throwIfAborted();
    const message = messageOf(error);
    return { kind: 'failed', message, sentence: message };
  }
}

export function textOutcome(text: string): ChatToolOutcome {
  return { kind: 'result', isError: false, items: [{ kind: 'text', text }] };
}

/** The result that tells the model that its arguments were wrong. */
export function badArguments(text: string): ChatToolOutcome {
  return { kind: 'result', isError: true, items: [{ kind: 'text', text }] };
}

/** The most bytes of a kept result that one call of `read_result` reads; fewer where the model has less room. */
const maxSliceBytes = 50_000;

/** The tool `read_result`: reads more of a long result of this conversation. The person is not asked again about what they let in once. */
export function readResultTool(results: KeptResults, conversation: Conversation, share: number): OwnTool {
  const maxSlice = Math.min(maxSliceBytes, share);
  return ownTool(
    'read_result',
    'Reads a part of a tool result that was too long to be shown whole. Use the id that the shortened result names.',
    {
      result: { type: 'string', description: 'The id of the kept result.' },
      from: { type: 'integer', minimum: 0, description: 'The byte to begin at (0).' },
      bytes: { type: 'integer', minimum: 1, maximum: maxSlice, description: `How many bytes (${maxSlice}).` },
    },
    ['result'],
    async ({ arguments: { result, from = 0, bytes = maxSlice } }) => {
      const kept = typeof result === 'string' ? keptIn(resultsOf(conversation), result)?.kept : undefined;
      if (kept === undefined) {
        return badArguments('This conversation has no kept result of that id.');
      }
      if (typeof from !== 'number' || typeof bytes !== 'number' || !(from >= 0) || from >= kept.bytes) {
        return badArguments(`"from" must be a number from 0 to ${kept.bytes - 1}, and "bytes" a number up to ${maxSlice}.`);
      }
      const start = Math.floor(from);
      const slice = await results.slice(conversation.id, kept.id, start, Math.max(4, Math.min(maxSlice, Math.floor(bytes))));
      if (slice === undefined) {
        return badArguments('This result is no longer kept. Call the tool again if you need it.');
      }
      const read = wholeCharacters(slice);
      const end = start + read.to;
      const more = end < kept.bytes ? ` Read on from ${end}.` : ' This is the end.';
      return `[Bytes ${start + read.from} to ${end} of ${kept.bytes}.${more}]\n${revealInContent(read.text)}`;
    },
  );
}

export function hasKeptResults(conversation: Conversation): boolean {
  return resultsOf(conversation).some(({ kept }) => kept !== undefined);
}

function resultsOf(conversation: Conversation): readonly ToolResultBlock[] {
  return conversation.turns
    .filter(({ isWithheld }) => !isWithheld)
    .flatMap(({ messages }) => messages)
    .flatMap(({ content }): readonly ToolResultBlock[] => content.filter((block) => block.type === 'toolResult'));
}

/** The most resources and templates in one list for the model; the rest is counted. */
const maxListed = 100;
/** The most characters of each server, address, name and description in a list of resources. */
const maxLength = 200;

/** Where resources that the model reads are shown and asked about. */
export interface ReadingPlace extends Omit<ContentRunContext, 'to' | 'decidedBy'> {
  readonly reads: ReadAllowance;
}

/**
 * The tools `list_resources` and `read_resource`. The person is asked whether the model may read at the server and then, as when they
 * attach a resource themselves, about the content.
 */
export function resourceTools(place: ReadingPlace | undefined): readonly OwnTool[] {
  return [
    ownTool(
      'list_resources',
      'Lists resources of the connected servers: names and addresses. Read one with read_resource.',
      {
        search: { type: 'string', description: 'Only those whose name, address or description holds this text.' },
        server: { type: 'string', description: 'Only those of the server of this name.' },
      },
      [],
      async ({ arguments: { search = '', server = '' }, signal }) => {
        if (typeof search !== 'string' || typeof server !== 'string') {
          return badArguments('"search" and "server" must be texts.');
        }
        const content = placeOf(place).content;
        return describeOffers(await content.offers(signal), search.toLowerCase(), server, content);
      },
    ),
    ownTool(
      'read_resource',
      'Reads one resource of a connected server. The person may be asked first, and may decline.',
      {
        server: { type: 'string', description: 'The name of the server, as list_resources gives it.' },
        uri: { type: 'string', description: 'The address of the resource, also one made of a template.' },
      },
      ['server', 'uri'],
      async (call) => {
        const { server, uri } = call.arguments;
        if (typeof server !== 'string' || typeof uri !== 'string' || uri === '') {
          return badArguments('"server" and "uri" must be texts.');
        }
        const offers = await placeOf(place).content.offers(call.signal);
        return read(offers, server, uri, placeOf(place), call);
      },
    ),
  ];
}

function placeOf(place: ReadingPlace | undefined): ReadingPlace {
  if (place === undefined) {
    throw new Error('Resources are read within an answer.');
  }
  return place;
}

async function describeOffers(offers: ContentOffers, search: string, server: string, content: ChatContent): Promise<string> {
  const matches = (...texts: readonly string[]): boolean => texts.some((text) => text.toLowerCase().includes(search));
  const isWanted = ({ server: of, name, description }: Omit<OfferedResource, 'uri'>, address: string): boolean =>
    (server === '' || of === server) && matches(name, address, description);
  const resources = offers.resources.filter((each) => isWanted(each, each.uri)).map((each) => ({ ...each, address: each.uri }));
  const templates = offers.templates
    .filter((each) => isWanted(each, each.uriTemplate))
    .map((each) => ({ ...each, address: each.uriTemplate }));
  const all = [...resources, ...templates];
  if (all.length === 0) {
    return 'No resource matches.';
  }
  // The servers' words are quoted as JSON, so that none of them can end its quotation. An address may carry a password, of which a cut
  // would leave a beginning that nobody recognises.
  const quoted = async (text: string): Promise<string> => JSON.stringify((await shortText(text, content.secretsIn)).slice(0, maxLength));
  const lines: string[] = [];
  for (const { server: of, name, address, description } of all.slice(0, maxListed)) {
    lines.push((await Promise.all([of, address, name, description].map(quoted))).join(' '));
  }
  const more = all.length > maxListed ? [`${all.length - maxListed} more: search for what you need.`] : [];
  return ['Server, address, name and description, as the servers give them:', ...lines, ...more].join('\n');
}

async function read(
  { resources, templates, prompts }: ContentOffers,
  server: string,
  uri: string,
  place: ReadingPlace,
  call: ChatToolCall,
): Promise<ChatToolOutcome> {
  const listed = resources.find((each) => each.server === server && each.uri === uri);
  const known =
    listed ?? [...templates, ...prompts].find((each) => each.server === server) ?? resources.find((each) => each.server === server);
  if (known === undefined) {
    return badArguments('There is no server of that name with resources. Look with list_resources.');
  }
  if (listed === undefined && uri.length > maxAddressLength) {
    return badArguments(`The address is longer than ${maxAddressLength} characters, and is none of those that the server lists.`);
  }
  if (!place.reads.take()) {
    return badArguments('No more resources can be read in this answer. Go on with what you have, or tell the person what is missing.');
  }
  const wish = { kind: 'resource', serverId: known.serverId, server, uri, name: listed?.name ?? uri } as const;
  const decision = await askToRead(wish, listed !== undefined, place.content, call);
  switch (decision.kind) {
    case 'read': {
      const run = new ContentRun(decision.wish, { ...place, to: call.destination, decidedBy: decision.decidedBy });
      return toOutcome(await run.run());
    }
    case 'denied':
      return decision;
    case 'unusable':
      return badArguments('The person changed the address into none. Nothing was read.');
  }
}

function toOutcome({ outcome, content }: AttachedBlock): ChatToolOutcome {
  if (outcome === 'denied' || outcome === 'deniedBefore') {
    return { kind: 'denied', byStoredAnswer: outcome === 'deniedBefore' };
  }
  if (outcome === 'cancelled') {
    return { kind: 'cancelled' };
  }
  const items = content.map((part): ToolResultItem =>
    part.type === 'text' ? { kind: 'text', text: part.text } : { ...part, kind: 'image' },
  );
  // The first and the last part say that the person attached the content, which is not so here.
  return outcome === 'failed' ? { kind: 'result', isError: true, items } : { kind: 'result', isError: false, items: items.slice(1, -1) };
}
