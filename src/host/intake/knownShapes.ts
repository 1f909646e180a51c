import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { without } from '../../base/without.ts';
import type { Rule } from './bounds.ts';

// The SDK says of each value that the protocol does not know what is wrong with it, one by one, while everybody waits. So wherever a
// server could send thousands of them, those that are wrong are left out here, or the message is refused at the first one.

type Members = Readonly<Record<string, (member: unknown) => boolean>>;

/** An object without the members that are not what they must be. Members that are not named here pass. */
function correct(members: Members): Rule {
  return (value) => {
    const wrong = isJsonObject(value) ? Object.keys(members).filter((key) => isWrong(value, key, members[key])) : [];
    return isJsonObject(value) ? wrong.reduce((rest: JsonObject, key) => without(rest, key), value) : undefined;
  };
}

function isWrong(value: JsonObject, key: string, isRight: ((member: unknown) => boolean) | undefined): boolean {
  return Object.hasOwn(value, key) && isRight?.(value[key]) !== true;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isList = (value: unknown, most: number, isRight: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= most && value.every(isRight);

/** A time as the SDK wants it: it would refuse the whole message for a date alone. */
const moment = z.iso.datetime({ offset: true });

/** What a server notes beside a part of a result: for whom it is, and how important and how new. */
export const annotations = correct({
  audience: (value) => isList(value, 10, (role) => role === 'user' || role === 'assistant'),
  priority: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  lastModified: (value) => typeof value === 'string' && value.length <= 100 && moment.safeParse(value).success,
});

export const icon = correct({
  mimeType: isText,
  sizes: (value) => isList(value, 20, isText),
  theme: (value) => value === 'light' || value === 'dark',
});

/** A form of more fields is for nobody. */
const maxProperties = 200;
/** The most hints for the choice of a model in a sampling request; one with more is refused. */
const maxHints = 100;
/** The most stop sequences in a sampling request; one with more is refused. */
const maxStopSequences = 100;

/** Whether a request of a server has, where it could have thousands of them, nothing that is no part of such a request. */
export function isRequestOfKnownParts(method: string, params: unknown): boolean {
  const given = isJsonObject(params) ? params : {};
  switch (method) {
    case 'elicitation/create': {
      const schema = given['requestedSchema'];
      const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? Object.values(schema['properties']) : [];
      return properties.length <= maxProperties && properties.every(isJsonObject);
    }
    case 'sampling/createMessage':
      return isSamplingOfKnownParts(given);
    default:
      return true;
  }
}

function isSamplingOfKnownParts({ messages, tools = [], stopSequences = [], modelPreferences }: JsonObject): boolean {
  const hints = (isJsonObject(modelPreferences) ? modelPreferences['hints'] : undefined) ?? [];
  return (
    isList(messages, Infinity, isMessage) &&
    isList(tools, Infinity, (tool) => isJsonObject(tool) && isText(tool['name']) && isJsonObject(tool['inputSchema'])) &&
    isList(stopSequences, maxStopSequences, isText) &&
    isList(hints, maxHints, isJsonObject)
  );
}

function isMessage(message: unknown): boolean {
  if (!isJsonObject(message) || !isText(message['role'])) {
    return false;
  }
  const { content } = message;
  return Array.isArray(content) ? content.every(isPart) : isPart(content);
}

function isPart(part: unknown): boolean {
  if (!isJsonObject(part) || (part['annotations'] !== undefined && annotations(part['annotations'], noRoom) !== part['annotations'])) {
    return false;
  }
  const { type } = part;
  if (type === 'text') {
    return isText(part['text']);
  }
  if (type === 'image' || type === 'audio') {
    return isText(part['data']) && isText(part['mimeType']);
  }
  if (type === 'tool_use') {
    return isText(part['name']) && isText(part['id']) && isJsonObject(part['input']);
  }
  return type === 'tool_result' && isText(part['toolUseId']) && isList(part['content'] ?? [], Infinity, isPartOfResult);
}

/** The part of a result may be of any kind, but no result. */
function isPartOfResult(part: unknown): boolean {
  return isJsonObject(part) && (part['type'] === 'text' ? isText(part['text']) : isText(part['type']));
}

/** The requests that come within an answer, of the revision that has them there. */
const maxWithin = 50;

export function areRequestsOfKnownParts(requests: unknown): boolean {
  const all = isJsonObject(requests) ? Object.values(requests) : [];
  const isKnown = (request: unknown): boolean =>
    isJsonObject(request) && typeof request['method'] === 'string' && isRequestOfKnownParts(request['method'], request['params']);
  return all.length <= maxWithin && all.every(isKnown);
}

const noRoom = { text: 0, media: 0, cut: new Set<string>() };
