import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { JSONRPCMessage } from '../shared/sdk.ts';
import {
  anything,
  cutMark,
  fields,
  list,
  type Room,
  type Rule,
  sharedText,
  sharedWhole,
  text,
  weigh,
  whole,
  withMember,
} from './bounds.ts';
import { intakeLimits as limits } from './intakeLimits.ts';
import { annotations, areRequestsOfKnownParts, icon, isRequestOfKnownParts } from './knownShapes.ts';

/** Long work that can be interrupted wherever it yields. */
export type Steps<T> = Generator<undefined, T>;

export type Admitted =
  /** `cut` names the fields that are not as they came. */
  | { readonly kind: 'passed'; readonly message: JSONRPCMessage; readonly cut: readonly string[] }
  /** A request that is too large to be answered, or has something in it that is no part of such a request. */
  | { readonly kind: 'refused'; readonly id: string | number }
  /** A notification that is too large to be looked at, or a message whose id or method is none. */
  | { readonly kind: 'dropped'; readonly method: string };

/** Bounds every field of a message. `method` is that of the request which it answers, if it is an answer. */
export function* boundMessage(message: JSONRPCMessage, method: string | undefined): Steps<Admitted> {
  const room: Room = { ...(method === 'resources/read' ? limits.resource : limits.result), cut: new Set() };
  const raw = message as unknown as JsonObject;
  if (!isId(raw['id']) || !isName(raw['method'])) {
    return { kind: 'dropped', method: '' };
  }
  const passed = (key: string, member: unknown): Admitted => {
    const bounded = withMember(raw, key, member);
    return { kind: 'passed', message: bounded as unknown as JSONRPCMessage, cut: bounded === raw ? [] : [...room.cut] };
  };
  if ('method' in message && 'id' in message) {
    const most = message.method === 'sampling/createMessage' ? limits.modelRequest : limits.request;
    const isTaken = question(most)(message.params, room) !== undefined && isRequestOfKnownParts(message.method, message.params);
    return isTaken ? { kind: 'passed', message, cut: [] } : { kind: 'refused', id: message.id };
  }
  if ('method' in message) {
    const params = (notifications.get(message.method) ?? anything)(message.params, room);
    return weigh(params, limits.notification) === undefined ? { kind: 'dropped', method: message.method } : passed('params', params);
  }
  if ('error' in message) {
    return passed('error', refusal(message.error, room));
  }
  const { result } = raw;
  return isJsonObject(result) ? passed('result', yield* boundResult(result, method ?? '', room)) : passed('result', result);
}

/** An id is echoed and a method is named by everybody who comes across them, so they are short or nothing. */
function isId(id: unknown): boolean {
  return id === null || typeof id === 'number' || isName(id);
}

function isName(name: unknown): boolean {
  return name === undefined || (typeof name === 'string' && name.length <= limits.name);
}

const base64: ReadonlySet<string> = new Set(['data', 'blob']);

/** What the person or the model is asked is taken whole or not at all. */
function question({ weight, values }: { readonly weight: number; readonly values: number }): Rule {
  return (value = {}) => (weigh(value, weight, { values, free: base64 }) === undefined ? undefined : value);
}

const shown = { title: text(limits.title), description: text(limits.description), icons: list(limits.icons, icon) };
const refusal = fields({ message: text(limits.error) });

/** A log message of another kind than a text is shown as JSON. */
const logData: Rule = (value) => {
  const isShort = typeof value === 'string' || weigh(value, limits.logMessage) !== undefined;
  return isShort ? text(limits.logMessage)(value, { text: 0, media: 0, cut: new Set() }) : cutMark(0, 1, 'values');
};

const notifications: ReadonlyMap<string, Rule> = new Map([
  ['notifications/progress', fields({ message: text(limits.progress) })],
  ['notifications/message', fields({ logger: text(limits.logger), data: logData })],
  ['notifications/cancelled', fields({ reason: text(limits.progress) })],
  ['notifications/tasks/status', fields({ statusMessage: text(limits.progress) })],
  ['notifications/resources/updated', fields({ uri: whole(limits.uri) })],
]);

/** An entry of a list is taken with its prose cut, or not at all: half a schema or half a name says something else. */
function entry(rules: Readonly<Record<string, Rule>>): Rule {
  const prose = fields({ ...shown, ...rules }, anything);
  return (value, room) => {
    const bounded = prose(value, room);
    const isNamed = !isJsonObject(bounded) || ['name', 'uri', 'uriTemplate'].every((key) => weigh(bounded[key], limits.uri) !== undefined);
    if (isNamed && weigh(bounded, limits.list.item, { values: limits.list.values }) !== undefined) {
      return bounded;
    }
    room.cut.add('entries');
    return undefined;
  };
}

const promptArgument = fields({ ...shown, name: whole(limits.name) });

/** A part of a result, a prompt or a resource. */
const part: Rule = (value, room) => {
  const length = isJsonObject(value) ? lengthOf(value['data']) + lengthOf(value['blob']) : 0;
  if (isJsonObject(value) && length > room.media) {
    const { uri } = value;
    return partFields(
      { ...(typeof uri === 'string' ? { uri } : { type: 'text' }), text: cutMark(0, length, 'characters of Base64') },
      room,
    );
  }
  room.media -= length;
  return partFields(value, room);
};

function lengthOf(data: unknown): number {
  return typeof data === 'string' ? data.length : 0;
}

/** Base64 was counted; what is no text is no Base64 either. */
const media: Rule = (value, room) => (typeof value === 'string' ? value : sharedWhole(value, room));

const partFields = fields(
  {
    ...shown,
    type: whole(limits.name),
    text: sharedText,
    data: media,
    blob: media,
    mimeType: whole(limits.name),
    name: text(limits.name),
    uri: whole(limits.uri),
    resource: (value, room) => part(value, room),
    annotations: (value, room) => sharedWhole(annotations(value, room), room),
  },
  sharedWhole,
);

const message: Rule = fields({
  content: (value, room) => (Array.isArray(value) ? list(limits.result.parts, part)(value, room) : part(value, room)),
});

interface ListOf {
  readonly key: string;
  readonly most: number;
  readonly each: Rule;
  /** Makes the last item, which says that items are missing. */
  readonly last?: ((mark: string) => JsonObject) | undefined;
}

const textItem = (mark: string): JsonObject => ({ type: 'text', text: mark });

/** The long list in the answer to each request. A list of entries has one item more than it may have, so that its reader notices. */
const lists: Readonly<Record<string, ListOf>> = {
  'tools/list': { key: 'tools', most: limits.list.items + 1, each: entry({}) },
  'resources/list': { key: 'resources', most: limits.list.items + 1, each: entry({ annotations }) },
  'resources/templates/list': { key: 'resourceTemplates', most: limits.list.items + 1, each: entry({ annotations }) },
  'skills/list': { key: 'skills', most: limits.list.items + 1, each: entry({}) },
  'prompts/list': {
    key: 'prompts',
    most: limits.list.items + 1,
    each: entry({ arguments: list(limits.promptArguments, promptArgument) }),
  },
  'tools/call': { key: 'content', most: limits.result.parts, each: part, last: textItem },
  'tasks/result': { key: 'content', most: limits.result.parts, each: part, last: textItem },
  'prompts/get': {
    key: 'messages',
    most: limits.result.parts,
    each: message,
    last: (mark) => ({ role: 'user', content: textItem(mark) }),
  },
  'resources/read': { key: 'contents', most: limits.resource.parts, each: part, last: (mark) => ({ uri: 'duplex:cut', text: mark }) },
};

const server = fields({ ...shown, name: text(limits.name), version: text(limits.name), websiteUrl: whole(limits.uri) });
const completion = fields({ values: list(limits.completions, whole(limits.name)) });

/** The `_meta` key under which a result says that its structured content was left out, so that nobody takes it for forgotten. */
export const leftOutKey = 'duplex/leftOut';

/** Takes the mark for what was left out away from `_meta`: only this side sets it. */
const meta: Rule = (value, room) => {
  const bounded = whole(limits.other)(value, room);
  return isJsonObject(bounded) && leftOutKey in bounded ? withMember(bounded, leftOutKey, undefined) : bounded;
};

/** The fields of answers, whatever the request was. Those that are bounded in steps pass here. */
const answerFields: Readonly<Record<string, Rule>> = {
  ...shown,
  _meta: meta,
  instructions: text(limits.instructions),
  serverInfo: server,
  capabilities: whole(limits.capabilities),
  completion,
  statusMessage: text(limits.progress),
  error: refusal,
  inputRequests: (value, room) => (areRequestsOfKnownParts(value) ? question(limits.modelRequest)(value, room) : undefined),
  requestState: question(limits.modelRequest),
  structuredContent: anything,
  result: anything, // of a task
};
const answer = fields(answerFields);
const answers: ReadonlyMap<string, Rule> = new Map(
  Object.entries(lists).map(([method, { key }]) => [method, fields({ ...answerFields, [key]: anything })]),
);

function* boundResult(result: JsonObject, method: string, room: Room): Steps<JsonObject> {
  let bounded = (answers.get(method) ?? answer)(result, room) as JsonObject;
  const listOf = lists[method];
  const items: unknown = listOf === undefined ? undefined : bounded[listOf.key];
  if (listOf !== undefined && Array.isArray(items)) {
    bounded = withMember(bounded, listOf.key, yield* boundList(items, listOf, room));
  }
  const inner = bounded['result'];
  if (isJsonObject(inner)) {
    bounded = withMember(bounded, 'result', yield* boundResult(inner, 'tools/call', room));
  }
  if (bounded['structuredContent'] !== undefined) {
    yield;
    bounded = boundStructured(bounded, room);
  }
  return bounded;
}

function* boundList(items: readonly unknown[], { most, each, last }: ListOf, room: Room): Steps<readonly unknown[]> {
  const kept: unknown[] = [];
  let isSame = items.length <= most;
  for (const item of items.length > most ? items.slice(0, most) : items) {
    const one = each(item, room);
    isSame &&= one === item;
    if (one !== undefined) {
      kept.push(one);
    }
    yield;
  }
  return isSame ? items : items.length > most && last !== undefined ? [...kept, last(cutMark(most, items.length, 'parts'))] : kept;
}

/** Data cannot be cut. Where it is too much, a sentence stands in its place; most servers say the same as text anyway. */
function boundStructured(bounded: JsonObject, room: Room): JsonObject {
  const { content, structuredContent, _meta, ...rest } = bounded;
  if (weigh(structuredContent, limits.result.text, { values: limits.result.values }) !== undefined) {
    return bounded;
  }
  room.cut.add('structuredContent');
  const mark = `[Left out by Duplex: structured content of more than ${limits.result.values.toLocaleString('en')} values or ${limits.result.text.toLocaleString('en')} characters.]`;
  const parts: readonly JsonValue[] = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  return { ...rest, content: [...parts, textItem(mark)], _meta: { ...(isJsonObject(_meta) ? _meta : {}), [leftOutKey]: true } };
}
