import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { modernRevision } from '../../../contract/protocolNames.ts';

/** The revisions that begin with `initialize`, newest first. */
export const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export type LegacyRevision = (typeof legacyRevisions)[number];

export type Revision = LegacyRevision | typeof modernRevision;

export const newestLegacy: LegacyRevision = '2025-11-25';

export function isLegacyRevision(value: unknown): value is LegacyRevision {
  return (legacyRevisions as readonly unknown[]).includes(value);
}

/** Chooses the revision. Unknown ones, and the one without `initialize`, are answered with the newest legacy revision. */
export function negotiate(requested: unknown): LegacyRevision {
  return isLegacyRevision(requested) ? requested : newestLegacy;
}

/** Whether a revision has batches. Revisions are dates, so they compare as text. */
export function allowsBatches(revision: LegacyRevision): boolean {
  return revision < '2025-06-18';
}

export function hasStructuredContent(revision: Revision): boolean {
  return revision >= '2025-06-18';
}

/** Whether bad arguments are told to the model as a tool result; before that they were a protocol error. */
export function badArgumentsAreToolErrors(revision: Revision): boolean {
  return revision >= '2025-11-25';
}

/** Whether streams begin with an event that has only an id; older clients fail on its empty data. */
export function primesStreams(revision: LegacyRevision): boolean {
  return revision >= '2025-11-25';
}

/** The revision since which an optional member may be sent. */
const memberSince: Readonly<Record<string, LegacyRevision>> = {
  title: '2025-06-18',
  _meta: '2025-06-18',
  outputSchema: '2025-06-18',
  completions: '2025-03-26',
  icons: '2025-11-25',
  execution: '2025-11-25',
  tasks: '2025-11-25',
};

const listKeys: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/**
 * Removes from a result what the client's revision does not know. It is pure, and returns the same object if there is nothing to
 * remove.
 */
export function shapeResult(method: string, result: JsonObject, revision: Revision): JsonObject {
  if (revision === newestLegacy || (revision === modernRevision && method !== 'tools/list')) {
    return result;
  }
  const listKey = listKeys[method];
  if (listKey !== undefined) {
    return { ...result, [listKey]: mapItems(result[listKey], (item) => shapeItem(method, item, revision)) };
  }
  switch (method) {
    case 'initialize':
      return shapeInitialize(result, revision);
    case 'tools/call':
      return shapeToolResult(result, revision);
    case 'prompts/get':
      return {
        ...result,
        messages: mapItems(result.messages, (message) => ({ ...message, content: shapeContent(message.content, revision) })),
      };
    case 'resources/read':
      return { ...result, contents: mapItems(result.contents, (part) => withoutNewMembers(part, revision)) };
    default:
      return result;
  }
}

function shapeInitialize(result: JsonObject, revision: Revision): JsonObject {
  const { serverInfo, capabilities } = result;
  return {
    ...result,
    ...(isJsonObject(serverInfo) && { serverInfo: withoutNewMembers(serverInfo, revision) }),
    ...(isJsonObject(capabilities) && { capabilities: withoutNewMembers(capabilities, revision) }),
  };
}

function shapeItem(method: string, item: JsonObject, revision: Revision): JsonObject {
  if (revision === modernRevision) {
    // In this revision the client no longer chooses which calls become tasks.
    return without(item, 'execution');
  }
  const shaped = withoutNewMembers(item, revision);
  if (method === 'tools/list' && revision < '2025-03-26') {
    return without(shaped, 'annotations');
  }
  if (method === 'tools/list' && shaped.title === undefined && item.title !== undefined) {
    // These revisions have the title in the annotations.
    return { ...shaped, annotations: { ...(isJsonObject(item.annotations) && item.annotations), title: item.title } };
  }
  if (method === 'prompts/list' && shaped.arguments !== undefined) {
    return { ...shaped, arguments: mapItems(shaped.arguments, (argument) => withoutNewMembers(argument, revision)) };
  }
  return shaped;
}

function shapeToolResult(result: JsonObject, revision: Revision): JsonObject {
  const { structuredContent, content, ...rest } = result;
  return {
    ...rest,
    content: Array.isArray(content) ? content.map((item: JsonValue) => shapeContent(item, revision) ?? null) : [],
    ...(hasStructuredContent(revision) && structuredContent !== undefined && { structuredContent }),
  };
}

/** Shapes a block of content. The old schemas allow only certain kinds, so others become a line of text. */
export function shapeContent(content: JsonValue | undefined, revision: Revision): JsonValue | undefined {
  if (!isJsonObject(content)) {
    return content;
  }
  if (content.type === 'audio' && revision < '2025-03-26') {
    return { type: 'text', text: `[audio, ${textOf(content.mimeType)}]` };
  }
  if (content.type === 'resource_link' && revision < '2025-06-18') {
    return { type: 'text', text: textOf(content.uri) };
  }
  return withoutNewMembers(content, revision);
}

function withoutNewMembers(value: JsonObject, revision: Revision): JsonObject {
  const members = Object.entries(value).filter(([name]) => {
    const since = memberSince[name];
    return since === undefined || revision >= since;
  });
  return Object.fromEntries(members);
}

function mapItems(items: JsonValue | undefined, map: (item: JsonObject) => JsonObject): readonly JsonValue[] {
  return Array.isArray(items) ? items.map((item: JsonValue) => (isJsonObject(item) ? map(item) : item)) : [];
}

/** Shapes a progress notification: before 2025-03-26 it had no message. */
export function shapeProgress(params: JsonObject, revision: Revision): JsonObject {
  if (revision >= '2025-03-26') {
    return params;
  }
  return without(params, 'message');
}

function without(value: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
