import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { HeardResult } from '../consent/heard/heardTexts.ts';
import type { ChatItem, ContentPart, ToolCallPart, ToolResultItem } from '../contract/chatState.ts';

/** Of whoever it was: it is told to everybody, also to the server whose words it may have been. */
const unknownServer = '';
/** The latest: of more than these nothing would be kept. */
const maxResults = 500;

/**
 * What servers have said in a conversation that was stored, as far as its items still say it: in the order in which it was
 * said, without the secrets that were not sent. Pure.
 */
export function heardAgain(items: readonly ChatItem[]): readonly HeardResult[] {
  return items
    .flatMap((item) => (item.kind === 'assistant' ? item.parts : []))
    .flatMap((part): readonly HeardResult[] => {
      if (part.kind === 'toolCall') {
        return part.result.length === 0 ? [] : [resultOf(part)];
      }
      return part.kind === 'content' && part.state === 'sent' && part.source.kind !== 'attachment' ? [contentOf(part)] : [];
    })
    .slice(-maxResults);
}

function resultOf({ serverId = unknownServer, server, tool, arguments: args, result }: ToolCallPart): HeardResult {
  return { serverId, server, tool, arguments: parsed(args), result: result.flatMap(saidIn) };
}

function saidIn(item: ToolResultItem): readonly (string | JsonObject)[] {
  switch (item.kind) {
    case 'text':
      return [item.text];
    case 'structured':
      return [item.json];
    case 'link':
      return [{ uri: item.uri, name: item.name }];
    case 'image':
    case 'audio':
      return [];
  }
}

function contentOf({ server, source, items }: ContentPart): HeardResult {
  const texts = items.flatMap((item) =>
    item.kind === 'text' ? [item.pieces.map((piece) => (typeof piece === 'string' ? piece : ' ')).join('')] : [],
  );
  const given = givenTo(source);
  return { serverId: unknownServer, server, tool: source.name, arguments: given, result: texts };
}

function givenTo(source: ContentPart['source']): JsonObject {
  switch (source.kind) {
    case 'prompt':
      return Object.fromEntries(source.arguments.map(({ name, value }) => [name, value]));
    case 'resource':
      return { uri: source.uri };
    case 'attachment':
      return {};
  }
}

function parsed(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
