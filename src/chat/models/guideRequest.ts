import { type JsonObject, type JsonValue, parsedObject } from '../../base/json.ts';
import type { SchemaField } from '../../schemaForms/readSchema.ts';
import { toolParameters } from '../../schemaForms/toolArguments.ts';
import type { ContentOffers, ContentWish, OfferedPrompt, OfferedResource, OfferedTemplate } from './contentOffers.ts';
import type { ModelTool } from './modelProvider.ts';

/** What a plain sentence asks of the offline guide. */
export type GuideRequest =
  | { readonly kind: 'run'; readonly tool: ModelTool; readonly args: JsonObject }
  | { readonly kind: 'badArguments'; readonly tool: ModelTool }
  | { readonly kind: 'needsArguments'; readonly tool: ModelTool; readonly given: JsonObject; readonly missing: readonly string[] }
  | { readonly kind: 'ambiguousTool'; readonly name: string; readonly matches: readonly ModelTool[] }
  | { readonly kind: 'unknownTool'; readonly name: string; readonly near: readonly ModelTool[] }
  | { readonly kind: 'tools'; readonly server: string | undefined }
  | { readonly kind: 'content'; readonly asked: GuideContentRequest }
  | { readonly kind: 'greeting' | 'help' | 'other' };

const nothing: ContentOffers = { resources: [], templates: [], prompts: [] };

export function readGuideRequest(text: string, tools: readonly ModelTool[], offers: ContentOffers = nothing): GuideRequest {
  const plain = text.trim().replace(/^please\s+/i, '');
  const content = readContentRequest(plain, offers);
  if (content !== undefined) {
    return { kind: 'content', asked: content };
  }
  const run = /^(?:run|call|use|execute|invoke|try)\s+([\s\S]+)$/i.exec(plain);
  if (run?.[1] !== undefined) {
    return readRun(run[1], tools);
  }
  const list = /^(?:list\s+|show\s+)?(?:me\s+)?(?:the\s+|all\s+)*tools(?:\s+(?:of\s+|from\s+)?(.+?))?[\s.?!]*$/i.exec(plain);
  if (list !== null || /what tools/i.test(plain)) {
    return { kind: 'tools', server: list?.[1] };
  }
  if (/^(?:hi|hello|hey|good (?:morning|day|evening)|hallo|salut|hola)\b[\s!.,]*$/i.test(plain)) {
    return { kind: 'greeting' };
  }
  return { kind: /^(?:help|\?)[\s.?!]*$|what can you do|how does this work|who are you/i.test(plain) ? 'help' : 'other' };
}

function readRun(rest: string, tools: readonly ModelTool[]): GuideRequest {
  const found = findNamed(rest, tools, waysToName);
  if (found === undefined) {
    const name = wordsBeforeArguments(rest);
    return { kind: 'unknownTool', name, near: nearest(name, tools, ({ tool }) => tool) };
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

function waysToName({ server, tool, name }: ModelTool): readonly string[] {
  return [tool, name, ...withServer(tool, server)];
}

/** What a plain sentence asks of resources and prompts. */
export type GuideContentRequest =
  | { readonly kind: 'send'; readonly wish: ContentWish }
  | { readonly kind: 'list'; readonly what: 'resources' | 'prompts'; readonly server: string | undefined }
  | { readonly kind: 'unknownResource'; readonly name: string; readonly near: readonly OfferedResource[] }
  | {
      readonly kind: 'ambiguousResource';
      readonly name: string;
      readonly matches: readonly { readonly server: string; readonly uri: string }[];
    }
  /** No server lists the address, but templates of servers fit it. The person has to say which server gets it. */
  | { readonly kind: 'unlistedResource'; readonly name: string; readonly matches: readonly ResourceWish[] }
  | { readonly kind: 'fillTemplate'; readonly template: OfferedTemplate }
  | { readonly kind: 'unknownPrompt'; readonly name: string; readonly near: readonly OfferedPrompt[] }
  | { readonly kind: 'ambiguousPrompt'; readonly name: string; readonly matches: readonly OfferedPrompt[] }
  | { readonly kind: 'promptNeeds'; readonly prompt: OfferedPrompt; readonly given: JsonObject; readonly missing: readonly string[] }
  | { readonly kind: 'badPromptArguments'; readonly prompt: OfferedPrompt };

function readContentRequest(plain: string, offers: ContentOffers): GuideContentRequest | undefined {
  const list =
    /^(?:list|show)?\s*(?:me\s+)?(?:the\s+|all\s+)*(resources|prompts)(?:\s+(?:of\s+|from\s+)?(\S.*?))?[\s.?!]*$/i.exec(
      plain.slice(0, 500),
    ) ?? /what (resources|prompts)/i.exec(plain);
  if (list?.[1] !== undefined) {
    return { kind: 'list', what: list[1].toLowerCase() === 'prompts' ? 'prompts' : 'resources', server: list[2] };
  }
  const prompt = /^(?:\/|(?:(?:run|use|try|get)\s+)?(?:the\s+)?prompt\s+)([\s\S]*)$/i.exec(plain);
  if (prompt?.[1] !== undefined) {
    const rest = prompt[1].trim();
    return rest === '' ? { kind: 'list', what: 'prompts', server: undefined } : readPrompt(rest, offers.prompts);
  }
  const read =
    /^(?:read|attach)\s+(\S[\s\S]*)$/i.exec(plain) ??
    /^(?:open|show)\s+(?:the\s+)?resource\s+(\S[\s\S]*)$/i.exec(plain) ??
    /^(?:open|show)\s+((?!tools$)\S+)$/i.exec(plain);
  return read?.[1] === undefined ? undefined : readResource(read[1], offers);
}

/** Finds the resource that is meant by its address, name or title, with "of SERVER" when several servers have it. */
function readResource(rest: string, { resources, templates }: ContentOffers): GuideContentRequest {
  const said = rest
    .replace(/[`"“”]/g, '')
    .trim()
    .slice(0, 8_192);
  const name = said.replace(/^the\s+/i, '').replace(/^resource\s+/i, '');
  // "The" and a full stop may be part of the name.
  const names = [said, name].flatMap((each) => [each, each.replace(/[\s.?!]+$/, '')]).map((each) => each.toLowerCase());
  const isCalled = (called: string | undefined, server: string): boolean =>
    called !== undefined && [called, ...withServer(called, server)].some((way) => names.includes(way.toLowerCase()));
  const byAddress = resources.filter(({ uri, server }) => isCalled(uri, server));
  const found =
    byAddress.length > 0 ? byAddress : resources.filter((each) => isCalled(each.name, each.server) || isCalled(each.title, each.server));
  if (found.length > 0) {
    return oneOf(name, found.map(wishOf));
  }
  const made = templates.flatMap((template) => fromTemplate(name, template));
  const ofNamed = made.filter(({ isServerNamed }) => isServerNamed).map(({ wish }) => wish);
  if (ofNamed.length > 0) {
    return oneOf(name, ofNamed);
  }
  if (made.length > 0) {
    return { kind: 'unlistedResource', name: name.slice(0, 100), matches: onlyOnce(made.map(({ wish }) => wish)) };
  }
  const template = templates.find((each) => isCalled(each.name, each.server) || isCalled(each.uriTemplate, each.server));
  return template === undefined
    ? {
        kind: 'unknownResource',
        name: name.slice(0, 100),
        near: nearest(name, resources, (each) => `${each.name} ${each.title ?? ''} ${each.uri}`),
      }
    : { kind: 'fillTemplate', template };
}

type ResourceWish = Extract<ContentWish, { kind: 'resource' }>;

/** Removes duplicates: a server may list one address twice, or have two templates that fit it. */
function onlyOnce(wishes: readonly ResourceWish[]): readonly ResourceWish[] {
  return [...new Map(wishes.map((wish) => [JSON.stringify([wish.serverId, wish.uri]), wish])).values()];
}

function oneOf(name: string, found: readonly ResourceWish[]): GuideContentRequest {
  const wishes = onlyOnce(found);
  const [first, ...others] = wishes;
  return first !== undefined && others.length === 0
    ? { kind: 'send', wish: first }
    : { kind: 'ambiguousResource', name: name.slice(0, 100), matches: wishes };
}

function wishOf({ serverId, server, uri, title, name }: OfferedResource): ResourceWish {
  return { kind: 'resource', serverId, server, uri, name: title ?? name };
}

interface MadeAddress {
  readonly wish: ResourceWish;
  readonly isServerNamed: boolean;
}

/** The resource at this address, if the template of a server fits it, alone or before "of SERVER". */
function fromTemplate(name: string, { serverId, server, uriTemplate }: OfferedTemplate): MadeAddress[] {
  const [, address = '', owner = ''] = /^(\S+)\s+(?:of|from|on)\s+(\S[\s\S]*)$/i.exec(name) ?? [];
  const isServerNamed = address !== '' && owner.toLowerCase() === server.toLowerCase();
  const uri = isServerNamed ? address : name;
  return fitsTemplate(uri, uriTemplate) ? [{ wish: { kind: 'resource', serverId, server, uri, name: uri }, isServerNamed }] : [];
}

/**
 * Whether a template fits an address: its fixed parts occur in order, with something for each variable. It is one pass, because a
 * regular expression made of a server's template could be slow.
 */
function fitsTemplate(uri: string, template: string): boolean {
  const fixed = template.split(/\{[^{}]{0,1000}\}/);
  const [first = '', last = ''] = [fixed[0], fixed.at(-1)];
  if (fixed.length < 2 || /\s/.test(uri) || !uri.startsWith(first) || !uri.endsWith(last) || first === '') {
    return false;
  }
  let at = first.length;
  for (const part of fixed.slice(1, -1)) {
    const next = uri.indexOf(part, at + 1);
    if (next < 0) {
      return false;
    }
    at = next + part.length;
  }
  return at + 1 <= uri.length - last.length;
}

function readPrompt(rest: string, prompts: readonly OfferedPrompt[]): GuideContentRequest {
  const found = findNamed(rest, prompts, ({ name, title, server }) =>
    [name, ...(title === undefined ? [] : [title])].flatMap((called) => [called, ...withServer(called, server)]),
  );
  if (found === undefined) {
    const name = wordsBeforeArguments(rest);
    return { kind: 'unknownPrompt', name, near: nearest(name, prompts, (each) => `${each.name} ${each.title ?? ''}`) };
  }
  const matches = [...new Map(found.matches.map((each) => [JSON.stringify([each.serverId, each.name]), each])).values()];
  const [prompt, ...others] = matches;
  if (prompt === undefined || others.length > 0) {
    return { kind: 'ambiguousPrompt', name: found.phrase, matches };
  }
  const args = readArguments(rest.slice(found.length), toolParameters(schemaOf(prompt)));
  if (args === undefined) {
    return { kind: 'badPromptArguments', prompt };
  }
  const missing = prompt.arguments.filter(({ name, isRequired }) => isRequired && args[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) {
    return { kind: 'promptNeeds', prompt, given: args, missing };
  }
  const { serverId, server, name, title, description } = prompt;
  return {
    kind: 'send',
    wish: { kind: 'prompt', serverId, server, name, description: description || (title ?? ''), arguments: asTexts(args) },
  };
}

/** The arguments of a prompt as a JSON Schema, like a tool's; all of them are texts. */
export function schemaOf({ arguments: args }: OfferedPrompt): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, description }) => [name, { type: 'string', description }])),
    required: args.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function asTexts(args: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));
}

/** The things whose name a sentence begins with; more than one when several have the same name. */
interface Found<T> {
  readonly matches: readonly T[];
  readonly phrase: string;
  /** How much of the sentence the name takes. */
  readonly length: number;
}

/** Finds the longest name that the sentence begins with: "echo", "everything echo", "echo of everything" … */
function findNamed<T>(rest: string, things: readonly T[], waysToName: (thing: T) => readonly string[]): Found<T> | undefined {
  const lower = rest.toLowerCase().replace(/[`"'“”]/g, ' ');
  const start = /^(?:\s|the\s|tool\s|prompt\s)*/.exec(lower)?.[0].length ?? 0;
  let best: (Found<T> & { readonly matches: T[] }) | undefined;
  for (const thing of things) {
    for (const phrase of waysToName(thing)) {
      const end = start + phrase.length;
      if (!lower.startsWith(phrase.toLowerCase(), start) || /[\w-]/.test(lower[end] ?? ' ')) {
        continue;
      }
      if (best === undefined || end > best.length) {
        best = { matches: [thing], phrase, length: end };
      } else if (end === best.length && best.matches.at(-1) !== thing) {
        best.matches.push(thing);
      }
    }
  }
  return best;
}

/** The ways to name something with its server before or after it. */
function withServer(name: string, server: string): readonly string[] {
  return [
    ...[' ', '.', '/', ':'].map((between) => server + between + name),
    ...[' of ', ' from ', ' on '].map((between) => name + between + server),
  ];
}

function wordsBeforeArguments(rest: string): string {
  return (rest.split(/\{|\swith\s|\s\w+=/)[0] ?? rest)
    .replace(/[`"'“”]/g, '')
    .trim()
    .slice(0, 100);
}

/** The things whose name has one of the words in it. */
function nearest<T>(phrase: string, things: readonly T[], nameOf: (thing: T) => string): readonly T[] {
  const words = phrase
    .toLowerCase()
    .split(/[\s._/:-]+/)
    .filter((word) => word.length > 2);
  return things.filter((thing) => words.some((word) => nameOf(thing).toLowerCase().includes(word))).slice(0, 5);
}

/** Reads arguments: JSON, `name=value` pairs or, for a tool with a single text argument, just the text. */
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
    return parsedObject(text.slice(0, text.lastIndexOf('}') + 1));
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
