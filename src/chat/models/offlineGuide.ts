import { unreachable } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { pause } from '../../base/abort.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { exampleArguments, toolParameters } from '../../schemaForms/toolArguments.ts';
import { replyToContent, reportAttached } from './guideContent.ts';
import {
  codeBlock,
  boundedList,
  codeSpan,
  type GuideTexts,
  guideTextsInEnglish,
  paragraphs,
  plainWords,
  quote,
  summary,
} from './guideTexts.ts';
import { readGuideRequest, type GuideRequest } from './guideRequest.ts';
import type { ContentOffers } from './contentOffers.ts';
import type { CalledTool, ModelEvent, ModelInfo, ModelProvider, ModelRequest, ModelTool, ToolResultBlock } from './modelProvider.ts';

export interface OfflineGuideOptions {
  readonly texts?: GuideTexts;
  readonly clock?: Clock;
  /** The pause, in ms, between two pieces of text. */
  readonly chunkMs?: number;
}

const noOffers: ContentOffers = { resources: [], templates: [], prompts: [] };
/** The most pieces into which an answer is cut, to be said one after the other with pauses. */
const maxChunks = 60;
/** The most tools of one server in a list that is not of that server alone; the rest is counted. */
const maxToolsOfServer = 8;

/** A provider without AI, key or network. It understands a few plain requests, so that everything can be tried in the first minute. */
export class OfflineGuide implements ModelProvider {
  readonly kind = 'offline';
  readonly isAi = false;
  readonly #texts: GuideTexts;
  readonly #clock: Clock;
  readonly #chunkMs: number;

  constructor(options: OfflineGuideOptions = {}) {
    this.#texts = options.texts ?? guideTextsInEnglish;
    this.#clock = options.clock ?? systemClock;
    this.#chunkMs = options.chunkMs ?? 8;
  }

  destination(): undefined {
    return undefined;
  }

  listModels(): Promise<readonly ModelInfo[]> {
    return Promise.resolve([{ id: 'offline-guide', label: this.#texts('label') }]);
  }

  /** Only a tool that no running server has may be one of a server that waits. */
  needsAnyServer({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): Promise<boolean> {
    const last = messages.at(-1)?.content.at(-1);
    return Promise.resolve(last?.type === 'text' && readGuideRequest(last.text, tools).kind === 'unknownTool');
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const content = request.messages.at(-1)?.content ?? [];
    const last = content.at(-1);
    const attached = content.filter((each) => each.type === 'attached');
    if (last?.type === 'toolResult' || last?.type === 'attached') {
      yield* this.#say(last.type === 'attached' ? reportAttached(attached, this.#texts) : this.#report(request), signal);
      yield { kind: 'stop', reason: 'end' };
      return;
    }
    const said = last?.type === 'text' ? last.text : '';
    if (attached.length > 0) {
      yield* this.#say(`${reportAttached(attached, this.#texts)}\n\n`, signal);
    }
    // Servers are asked for what they have only when the person wants it, so that a silent server holds up nothing else.
    const isAboutContent = readGuideRequest(said, request.tools).kind === 'content';
    const offers = isAboutContent ? ((await request.offers?.(signal)) ?? noOffers) : noOffers;
    const asked = readGuideRequest(said, request.tools, offers);
    // A person who attached something has just been told that nobody here can answer, so that is not said twice.
    const reply = attached.length > 0 && asked.kind === 'other' ? '' : this.#reply(asked, request.tools, offers);
    // An address that a server lists may hold a password.
    yield* this.#say(asked.kind === 'content' ? ((await request.withoutSecrets?.(reply)) ?? reply) : reply, signal);
    if (asked.kind === 'run') {
      yield { kind: 'toolUse', id: `guide_${crypto.randomUUID()}`, name: asked.tool.name, input: asked.args };
    }
    const wish = asked.kind === 'content' && asked.asked.kind === 'send' ? asked.asked.wish : undefined;
    if (wish !== undefined) {
      yield { kind: 'content', wish };
    }
    yield { kind: 'stop', reason: asked.kind === 'run' || wish !== undefined ? 'toolUse' : 'end' };
  }

  async *#say(text: string, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const words = text.match(/\s*\S+\s*/g) ?? [];
    const size = Math.max(2, Math.ceil(words.length / maxChunks));
    for (let start = 0; start < words.length; start += size) {
      await pause(this.#clock, this.#chunkMs, signal);
      yield { kind: 'text', text: words.slice(start, start + size).join('') };
    }
  }

  #reply(asked: GuideRequest, tools: readonly ModelTool[], offers: ContentOffers): string {
    const say = this.#texts;
    switch (asked.kind) {
      case 'run':
        return say('running', named(asked.tool));
      case 'needsArguments':
        return paragraphs(
          say('needsArguments', { ...named(asked.tool), names: asked.missing.map(codeSpan).join(', ') }),
          codeBlock(runExample(asked.tool, asked.given)),
        );
      case 'badArguments':
        return paragraphs(say('badJson', named(asked.tool)), codeBlock(runExample(asked.tool)));
      case 'ambiguousTool':
        return paragraphs(
          say('ambiguousTool', { name: plainWords(asked.name) }),
          boundedList(asked.matches, (tool) => runExample(tool), say),
        );
      case 'unknownTool': {
        const hint =
          asked.near.length === 0
            ? this.#toolList(tools, undefined)
            : paragraphs(
                say('didYouMean'),
                boundedList(asked.near, (tool) => runExample(tool), say),
              );
        return paragraphs(say('unknownTool', { name: plainWords(asked.name) }), hint);
      }
      case 'tools':
        return this.#toolList(tools, asked.server);
      case 'greeting':
      case 'help':
        return paragraphs(say('greeting'), this.#help(tools));
      case 'other':
        return paragraphs(say('notAnAi'), this.#help(tools));
      case 'content':
        return replyToContent(asked.asked, offers, say);
      default:
        return unreachable(asked);
    }
  }

  #help(tools: readonly ModelTool[]): string {
    const first = easiest(tools);
    const run = first === undefined ? [] : [this.#texts('helpRun', { example: shortExample(first) })];
    const lines = [...run, this.#texts('helpTools'), this.#texts('helpContent'), this.#texts('helpRead'), this.#texts('helpKey')].join(
      '\n',
    );
    return first === undefined ? paragraphs(lines, this.#texts('noTools')) : lines;
  }

  #toolList(tools: readonly ModelTool[], server: string | undefined): string {
    const wanted = server === undefined ? undefined : tools.filter((tool) => tool.server.toLowerCase() === server.toLowerCase());
    const shown = wanted === undefined || wanted.length === 0 ? tools : wanted;
    const first = easiest(shown);
    if (first === undefined) {
      return this.#texts('noTools');
    }
    const limit = shown === wanted ? Number.POSITIVE_INFINITY : maxToolsOfServer;
    const servers = [...new Set(shown.map((tool) => tool.server))].map((name) =>
      this.#serverList(
        name,
        shown.filter((tool) => tool.server === name),
        limit,
      ),
    );
    return paragraphs(this.#texts('toolsTitle'), ...servers, this.#texts('toolsNext', { example: shortExample(first) }));
  }

  #serverList(server: string, tools: readonly ModelTool[], limit: number): string {
    const lines = tools.slice(0, limit).map((tool) => `- ${codeSpan(tool.tool)} ${summary(tool.description)}`.trimEnd());
    const left = tools.length - lines.length;
    const more = left > 0 ? [this.#texts('toolsMore', { count: left, server: plainWords(server) })] : [];
    return [this.#texts('toolsOfServer', { server: plainWords(server), count: tools.length }), '', ...lines, ...more].join('\n');
  }

  /** What the guide says about the tool calls of its last answer. */
  #report(request: ModelRequest): string {
    const content = request.messages.at(-1)?.content ?? [];
    const results = content.filter((each) => each.type === 'toolResult');
    const uses = request.messages
      .flatMap((message) => (message.role === 'assistant' ? message.content : []))
      .filter((each) => each.type === 'toolUse');
    // The guide calls only listed tools, so every result names its tool.
    const reports = results.flatMap((result) => (result.called === undefined ? [] : [this.#reportOf(result, named(result.called))]));
    const usedNames = uses.map((use) => use.name);
    const next = easiest(request.tools.filter((tool) => !usedNames.includes(tool.name))) ?? easiest(request.tools);
    const step = next === undefined ? this.#texts('nextKey') : this.#texts('nextTool', { example: shortExample(next) });
    return paragraphs(...reports, step);
  }

  #reportOf(result: ToolResultBlock, names: { readonly tool: string; readonly server: string }): string {
    const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    switch (result.outcome) {
      case 'done':
        return text.trim() === '' ? this.#texts('doneOther', names) : paragraphs(this.#texts('done', names), quote(text));
      case 'denied':
        return paragraphs(this.#texts('denied', names), this.#texts('deniedNext'));
      case 'deniedBefore':
        return this.#texts('deniedBefore', names);
      case 'failed':
        return paragraphs(this.#texts('failed', names), quote(text));
      case 'cancelled':
        return this.#texts('cancelled', names);
    }
  }
}

function easiest(tools: readonly ModelTool[]): ModelTool | undefined {
  const demands = (tool: ModelTool): number => toolParameters(tool.inputSchema).required.length;
  return tools.reduce<ModelTool | undefined>(
    (best, tool) => (best === undefined || demands(tool) < demands(best) ? tool : best),
    undefined,
  );
}

function runExample(tool: ModelTool, given: JsonObject = {}): string {
  return `run ${plainWords(tool.server)} ${plainWords(tool.tool)} with ${JSON.stringify({ ...exampleArguments(tool.inputSchema), ...given })}`;
}

/** A short example for use after `run` within a sentence. */
function shortExample(tool: ModelTool): string {
  const args = exampleArguments(tool.inputSchema);
  return plainWords(`${tool.tool}${Object.keys(args).length === 0 ? '' : ` with ${JSON.stringify(args)}`}`);
}

function named(tool: CalledTool): { readonly tool: string; readonly server: string } {
  return { tool: codeSpan(tool.tool), server: `**${plainWords(tool.server)}**` };
}
