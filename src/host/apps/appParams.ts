import { decodedAddress } from '../../base/addresses.ts';
import { invalidParams } from '../features/handlerContext.ts';
import { isJsonObject, type JsonObject, parsedObject } from '../../base/json.ts';
import type { AppLook } from '../../contract/chat/appMessages.ts';
import type { DisplayMode } from '../../contract/chat/appShowing.ts';
import { intakeLimits } from '../intake/intakeLimits.ts';
import { hasMoreValues, JsonScan } from '../../base/jsonText.ts';

/** An answer in the protocol's terms to what an app may not do or asked wrongly. */
export class AppRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const unknownMethod = -32_601;
/** The error code for what the person did not want. */
export const declined = -32_000;

export function textIn(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value === '') {
    throw new AppRefusal(invalidParams, `“${name}” must be a text.`);
  }
  return value;
}

export function objectIn(params: JsonObject, name: string): JsonObject {
  const value = params[name] ?? {};
  if (!isJsonObject(value)) {
    throw new AppRefusal(invalidParams, `“${name}” must be an object.`);
  }
  return value;
}

const displayModes: readonly unknown[] = ['inline', 'fullscreen', 'pip'];

/** The mode that an app asks for, which may be one that is not to be had here. */
export function displayModeIn(params: JsonObject): string {
  const mode = textIn(params, 'mode');
  if (!displayModes.includes(mode)) {
    throw new AppRefusal(invalidParams, '“mode” must be “inline”, “fullscreen” or “pip”.');
  }
  return mode;
}

/** The modes that an app declares and that are to be had here; undefined where it says nothing about them. */
export function declaredModes(params: JsonObject): readonly DisplayMode[] | undefined {
  const declared = objectIn(params, 'appCapabilities')['availableDisplayModes'];
  const isLarge = Array.isArray(declared) && declared.includes('fullscreen');
  return declared === undefined ? undefined : isLarge ? everyMode : ['inline'];
}

export const everyMode: readonly DisplayMode[] = ['inline', 'fullscreen'];

/** The address that an app wants opened: http or https, without a name or password in it. */
export function webAddressIn(params: JsonObject): URL {
  const text = textIn(params, 'url');
  const url = text.length <= 4_000 && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AppRefusal(invalidParams, 'Only http and https addresses without credentials can be opened.');
  }
  return url;
}

/** The most characters of a message of an app, and of what it wants the model to know; more is refused. */
const maxSaidLength = 20_000;

/** The text of a message that an app wants sent. Nothing but text is taken. */
export function messageIn(params: JsonObject): string {
  const { role, content } = params;
  const texts = textsIn(Array.isArray(content) ? content : [content]);
  if (role !== 'user' || texts === undefined || texts.length === 0) {
    throw new AppRefusal(invalidParams, 'A message has the role “user” and parts that are text.');
  }
  const text = texts.join('\n').trim();
  if (text === '' || text.length > maxSaidLength) {
    throw new AppRefusal(invalidParams, `A message has between 1 and ${maxSaidLength} characters.`);
  }
  return text;
}

/** What an app wants the model to know with the next message: text and data, as one text; empty takes back what was there. */
export function contextIn(params: JsonObject): string {
  const { content = [], structuredContent } = params;
  const texts = Array.isArray(content) ? textsIn(content) : undefined;
  if (texts === undefined || (structuredContent !== undefined && !isJsonObject(structuredContent))) {
    throw new AppRefusal(invalidParams, 'What the model is to know are parts that are text, and an object of data.');
  }
  const text = [...texts, ...(structuredContent === undefined ? [] : [JSON.stringify(structuredContent, undefined, 2)])]
    .join('\n\n')
    .trim();
  if (text.length > maxSaidLength) {
    throw new AppRefusal(invalidParams, `What the model is to know has at most ${maxSaidLength} characters.`);
  }
  return text;
}

/** The texts of parts that are all text; undefined where one is something else. */
function textsIn(blocks: readonly unknown[]): readonly string[] | undefined {
  const texts = blocks.map((block) => (isJsonObject(block) && block['type'] === 'text' ? block['text'] : undefined));
  return texts.every((text): text is string => typeof text === 'string') ? texts : undefined;
}

/** A file that an app wants saved: its content, or the address at the app's server where that is. */
export type WantedFile = { readonly name: string } & (
  | { readonly kind: 'content'; readonly bytes: Uint8Array }
  | { readonly kind: 'link'; readonly uri: string }
);

/** The most files in one download of an app; more are refused. */
const maxFiles = 5;

/** The files that an app wants saved, under names that mean nothing to any file system but a name. */
export function wantedFiles(params: JsonObject): readonly WantedFile[] {
  const { contents } = params;
  const files = Array.isArray(contents) ? contents.map(fileOf) : [];
  if (files.length === 0 || files.length > maxFiles || !files.every((file) => file !== undefined)) {
    throw new AppRefusal(invalidParams, `A download has 1 to ${maxFiles} parts, each a resource with its content or a link to one.`);
  }
  return files;
}

function fileOf(part: unknown): WantedFile | undefined {
  if (!isJsonObject(part)) {
    return undefined;
  }
  if (part['type'] === 'resource_link') {
    const { uri, name } = part;
    return typeof uri === 'string' ? { kind: 'link', uri, name: fileName(typeof name === 'string' ? name : uri) } : undefined;
  }
  const resource = part['type'] === 'resource' && isJsonObject(part['resource']) ? part['resource'] : {};
  const { uri, text, blob } = resource;
  const content = typeof text === 'string' ? Buffer.from(text) : typeof blob === 'string' ? Buffer.from(blob, 'base64') : undefined;
  return typeof uri === 'string' && content !== undefined ? { kind: 'content', bytes: content, name: fileName(uri) } : undefined;
}

/** The most characters of the name of a file that an app wants saved: those at the end of its name. */
const maxNameLength = 100;

/** The last part of an address as the name of a file: no folders, no signs that a system reads otherwise, no name of a device. */
export function fileName(address: string): string {
  const path = address.slice(0, 4_000).replace(/[?#].*$/su, '');
  const last = path.split(/[/\\]/u).findLast((each) => each !== '') ?? '';
  const plain = decodedAddress(last)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[/\\:*?"<>|%$`]/gu, '_')
    .replace(/^[. ]+|[. ]+$/gu, '')
    .slice(-maxNameLength)
    .replace(/^[. ]+/u, '');
  return plain === '' ? 'download' : /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu.test(plain) ? `_${plain}` : plain;
}

/** The answer to what the person may have refused: not doing it is no error of the protocol. */
export function doneOrNot(isDone: boolean): JsonObject {
  return isDone ? {} : { isError: true };
}

/** The answer to what is refused as an error. */
export function allowed(isDone: boolean): JsonObject {
  if (!isDone) {
    throw new AppRefusal(declined, 'The person declined this.');
  }
  return {};
}

export function unknown(method: string): AppRefusal {
  return new AppRefusal(unknownMethod, `This host does not offer ${method.slice(0, 100)} here.`);
}

/** What a method leads to; refused where this showing of the app does not have it. */
export function demanded<T>(port: T | undefined, method: string): T {
  if (port === undefined) {
    throw unknown(method);
  }
  return port;
}

/** The most values of a message: what it asks for is compared, recorded and shown in one go. */
const maxValues = 4_000;

/** Why a message of very many values is not looked at. */
export function refusalOfMany(text: string): AppRefusal | undefined {
  return hasMoreValues(text, maxValues) ? new AppRefusal(invalidParams, `A message has at most ${maxValues} values.`) : undefined;
}

/** A message that an app sends, and undefined for anything else, and for what would take too long to be parsed. */
export function parsedMessage(text: string): JsonObject | undefined {
  if (new JsonScan(text, intakeLimits.message).goOn() !== 'fine') {
    return undefined;
  }
  const message = parsedObject(text);
  return message?.['jsonrpc'] === '2.0' ? message : undefined;
}

/** The most height that an app gets in the chat. */
export const maxShownHeight = 600;

/** What an app is told of colours and room, at first and when they change. */
export function lookContext({ theme, variables, width, height, timeZone, touch, hover }: AppLook): JsonObject {
  const tall = height === undefined ? { maxHeight: maxShownHeight } : { height };
  return { theme, styles: { variables }, containerDimensions: { width, ...tall }, timeZone, deviceCapabilities: { touch, hover } };
}
