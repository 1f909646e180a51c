import { type JsonObject, parsedObject } from '../../../base/json.ts';
import { revealInvisible } from '../../../base/visibleText.ts';
import { estimateTokens } from '../../../contract/chat/modelPrices.ts';
import type {
  SamplingEdit,
  SamplingPart,
  SamplingQuestion,
  SamplingResponseQuestion,
} from '../../../contract/questions/samplingQuestions.ts';
import type {
  ChosenModel,
  SamplingAnswer,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  SamplingTool,
} from '../../../contract/chat/samplingModel.ts';
import type { SecretPlace } from '../../../secrets/secretMarks.ts';
import { readableJson } from '../../shared/shownJson.ts';
import { type AskedSampling, everyBlock, wordsOf } from './samplingRequest.ts';

/** A port that finds the places in a text that look like a secret. */
export type FindSecrets = (text: string) => readonly SecretPlace[];

type Content = SamplingContent | SamplingAnswer['content'][number];
type Taken = ChosenModel['takes'];

/** What the question about a request is made from. */
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
    ...(metadata !== undefined && { metadata: readableJson(metadata) }),
  };
}

export function responseDetail(server: string, answer: SamplingAnswer, findSecrets: FindSecrets): SamplingResponseQuestion {
  const { content, model, stopReason, usage } = answer;
  const names = new Map<string, string>();
  const parts = content.flatMap((block) => partsOf(block, names, noneTaken, findSecrets));
  // There is always a text to edit, so that the person can put words into an empty answer.
  const texts = parts.length === 0 ? [{ kind: 'text' as const, text: '', secrets: [] }] : parts;
  return { kind: 'samplingResponse', server, model: revealInvisible(model), parts: texts, stopReason, usage };
}

const noneTaken: Taken = { temperature: false, images: false, audio: false };

/** The most tokens that a request can take: its input and the full length of its answer. */
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
      const { text: input, secrets } = shownText(readableJson(block.input), findSecrets);
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
    inputSchema: shownText(readableJson(inputSchema), findSecrets),
  };
}

function more(asked: number | undefined, given: number): { readonly asked?: number } {
  return asked === undefined || asked === given ? {} : { asked };
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}

type Edited = Pick<SamplingRequest, 'systemPrompt' | 'messages' | 'stopSequences' | 'tools' | 'toolChoice'>;

/** Applies the person's changes. Undefined when they do not fit what was shown, or when nothing is left. */
export function editRequest(request: SamplingRequest, edit: SamplingEdit): Edited | undefined {
  const messages = editMessages(request.messages, edit);
  const stopSequences = editStopSequences(request.stopSequences, edit.stopSequences);
  const tools = keptTools(request.tools, edit.leftOutTools);
  if (messages === undefined || messages.length === 0 || stopSequences === undefined || tools === undefined) {
    return undefined;
  }
  const { systemPrompt = request.systemPrompt } = edit;
  return { systemPrompt, messages, stopSequences, tools, toolChoice: tools.length === 0 ? undefined : request.toolChoice };
}

function editMessages(messages: readonly SamplingMessage[], edit: SamplingEdit): readonly SamplingMessage[] | undefined {
  const { texts, leftOutImages } = edit;
  if (texts === undefined && leftOutImages === undefined) {
    return messages;
  }
  const edits = new Edits(texts, leftOutImages);
  const edited = messages.map(({ role, content }) => ({ role, content: edits.apply(content) }));
  return edits.areAllUsed ? edited.filter(({ content }) => content.length > 0) : undefined;
}

export function editContent(content: SamplingAnswer['content'], texts: SamplingEdit['texts']): SamplingAnswer['content'] | undefined {
  if (texts === undefined) {
    return content;
  }
  const edits = new Edits(texts);
  const edited = edits.apply(content.length === 0 ? [{ type: 'text', text: '' }] : content);
  return edits.areAllUsed ? edited : undefined;
}

/** A stop sequence that the person emptied is left out. */
function editStopSequences(all: readonly string[], edits: SamplingEdit['stopSequences']): readonly string[] | undefined {
  if (edits === undefined) {
    return all;
  }
  return edits.length === all.length ? all.map((text, index) => edits[index] ?? text).filter((text) => text !== '') : undefined;
}

/** Undefined when a tool is to be left out that the request does not have. */
function keptTools(tools: readonly SamplingTool[], leftOut: readonly number[] = []): readonly SamplingTool[] | undefined {
  return leftOut.some((index) => index >= tools.length) ? undefined : tools.filter((_, index) => !leftOut.includes(index));
}

/** Applies changed texts and left-out images, in the order in which they were shown. */
class Edits {
  readonly #left: (string | null)[] | undefined;
  readonly #leftOutImages: Set<number>;
  #isFitting = true;
  #images = 0;

  constructor(texts: SamplingEdit['texts'], leftOutImages: readonly number[] = []) {
    this.#left = texts && [...texts];
    this.#leftOutImages = new Set(leftOutImages);
  }

  get areAllUsed(): boolean {
    return this.#isFitting && (this.#left ?? []).length === 0 && [...this.#leftOutImages].every((image) => image < this.#images);
  }

  /** A text that the person emptied is left out, because models refuse empty texts. */
  apply<Block extends Content>(content: readonly Block[]): Block[] {
    return content.flatMap((block) => {
      const edited = this.#edit(block);
      return this.#isKept(edited) ? [edited] : [];
    });
  }

  #isKept(block: Content): boolean {
    return block.type === 'image' ? !this.#leftOutImages.has(this.#images++) : block.type !== 'text' || block.text.trim() !== '';
  }

  #edit<Block extends Content>(block: Block): Block {
    switch (block.type) {
      case 'text': {
        const text = this.#next();
        return text === null ? block : { ...block, text };
      }
      case 'toolUse': {
        const text = this.#next();
        return text === null ? block : { ...block, input: this.#parse(text) };
      }
      case 'toolResult':
        return { ...block, content: this.apply(block.content) };
      case 'image':
      case 'audio':
        return block;
    }
  }

  #next(): string | null {
    if (this.#left === undefined) {
      return null;
    }
    const text = this.#left.shift();
    this.#isFitting &&= text !== undefined;
    return text ?? null;
  }

  #parse(text: string): JsonObject {
    const value = parsedObject(text);
    this.#isFitting &&= value !== undefined;
    return value ?? {};
  }
}
