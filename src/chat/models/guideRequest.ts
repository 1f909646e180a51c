import type { JsonObject } from '../../base/json.ts';
import { toolParameters } from '../../schemaForms/toolArguments.ts';
import type { ContentOffers } from '../content/chatContent.ts';
import type { ModelTool } from '../modelProvider.ts';
import { readArguments } from './guideArguments.ts';
import { readContentRequest, type GuideContentRequest } from './guideContentRequest.ts';
import { findNamed, nearest, withServer, wordsBeforeArguments } from './guideNames.ts';

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
