import type { JsonObject } from '../../base/json.ts';
import { escapeInvisible, revealInvisible } from '../../base/visibleText.ts';
import { estimateTokens } from '../../contract/modelPrices.ts';
import type { SamplingPart, SamplingQuestion, SamplingResponseQuestion, SecretPlace } from '../../contract/questions/samplingQuestions.ts';
import type {
  ChosenModel,
  SamplingAnswer,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  SamplingTool,
} from '../../contract/sampling.ts';
import { everyBlock, wordsOf, type AskedSampling } from './samplingRequest.ts';

/** A port: where something in a text looks like a secret. */
export type FindSecrets = (text: string) => readonly SecretPlace[];

type Content = SamplingContent | SamplingAnswer['content'][number];
type Taken = ChosenModel['takes'];

/** What the person is shown of a request, with nothing hidden in its texts. */
export interface SamplingView {
  readonly asked: AskedSampling;
  readonly request: SamplingRequest;
  readonly chosen: ChosenModel;
  readonly findSecrets: FindSecrets;
}

export function samplingDetail({
  asked,
  request,
  chosen,
  findSecrets,
}: SamplingView): Omit<SamplingQuestion, 'server' | 'during' | 'budget' | 'context'> {
  const { wishes, metadata } = asked;
  const priorities = (['cost', 'speed', 'intelligence'] as const).flatMap((name) => {
    const value = wishes[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return {
    kind: 'sampling',
    systemPrompt: shownText(request.systemPrompt, findSecrets),
    messages: partsOfMessages(request.messages, chosen.takes, findSecrets),
    model: request.model,
    destination: revealInvisible(chosen.destination),
    chosenBy: chosen.by,
    models: [...chosen.models],
    hints: wishes.hints.map(revealInvisible),
    priorities,
    maxTokens: { value: request.maxTokens, cap: chosen.maxTokens, ...more(asked.maxTokens, request.maxTokens) },
    ...(request.temperature !== undefined && {
      temperature: { value: request.temperature, isSent: chosen.takes.temperature, ...more(asked.temperature, request.temperature) },
    }),
    stopSequences: request.stopSequences.map((text) => shownText(text, findSecrets)),
    tools: request.tools.map((tool) => shownTool(tool, findSecrets)),
    ...(request.toolChoice !== undefined && { toolChoice: request.toolChoice }),
    ...(metadata !== undefined && { metadata: readable(metadata) }),
  };
}

export function responseDetail(server: string, answer: SamplingAnswer, findSecrets: FindSecrets): SamplingResponseQuestion {
  const { content, model, stopReason, usage } = answer;
  const names = new Map<string, string>();
  const parts = content.flatMap((block) => partsOf(block, names, noneTaken, findSecrets));
  // Always something to write into: an empty answer may be given words.
  const texts = parts.length === 0 ? [{ kind: 'text' as const, text: '', secrets: [] }] : parts;
  return { kind: 'samplingResponse', server, model: revealInvisible(model), parts: texts, stopReason, usage };
}

const noneTaken: Taken = { temperature: false, images: false, audio: false };

/** At most: the whole length of an answer is counted. */
export function mostTokens({ systemPrompt, messages, tools, maxTokens }: SamplingRequest): number {
  return inputTokens({ systemPrompt, messages, tools }) + maxTokens;
}

function inputTokens({ systemPrompt, messages, tools }: Pick<SamplingRequest, 'systemPrompt' | 'messages' | 'tools'>): number {
  const blocks = everyBlock(messages);
  return estimateTokens(
    [systemPrompt, JSON.stringify(tools), ...blocks.map(wordsOf)],
    blocks.filter(({ type }) => type === 'image').length,
  );
}

function partsOfMessages(messages: readonly SamplingMessage[], takes: Taken, findSecrets: FindSecrets): SamplingQuestion['messages'] {
  const names = new Map<string, string>();
  return messages.map(({ role, content }) => ({ role, parts: content.flatMap((block) => partsOf(block, names, takes, findSecrets)) }));
}

function partsOf(block: Content, names: Map<string, string>, takes: Taken, findSecrets: FindSecrets): SamplingPart[] {
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', ...shownText(block.text, findSecrets) }];
    case 'image': {
      const { mimeType, data } = block;
      return [{ kind: 'image', mimeType, data, bytes: bytesOf(data), isSent: takes.images }];
    }
    case 'audio':
      return [{ kind: 'audio', mimeType: revealInvisible(block.mimeType), bytes: bytesOf(block.data), isSent: takes.audio }];
    case 'toolUse': {
      names.set(block.id, block.name);
      const { text: input, secrets } = shownText(readable(block.input), findSecrets);
      return [{ kind: 'toolUse', tool: revealInvisible(block.name), input, secrets }];
    }
    case 'toolResult': {
      const heading: SamplingPart = {
        kind: 'toolResult',
        tool: revealInvisible(names.get(block.toolUseId) ?? block.toolUseId),
        isError: block.isError,
      };
      return [heading, ...block.content.flatMap((each) => partsOf(each, names, takes, findSecrets))];
    }
  }
}

export function shownText(text: string, findSecrets: FindSecrets): { readonly text: string; readonly secrets: SecretPlace[] } {
  const shown = revealInvisible(text);
  return { text: shown, secrets: [...findSecrets(shown)] };
}

function shownTool(tool: SamplingTool, findSecrets: FindSecrets): SamplingQuestion['tools'][number] {
  const { name, description, inputSchema } = tool;
  return {
    name: revealInvisible(name),
    description: shownText(description, findSecrets),
    inputSchema: shownText(readable(inputSchema), findSecrets),
  };
}

/** Invisible characters as escapes: it stays JSON. */
function readable(value: JsonObject): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2));
}

function more(asked: number | undefined, given: number): { readonly asked?: number } {
  return asked === undefined || asked === given ? {} : { asked };
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}
