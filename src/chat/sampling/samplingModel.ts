// sampling/: servers ask the editor's language model: which model answers, and how (this file), and what a server may see of the chat.
import { errorMaker, type ErrorTable } from '../../base/errors.ts';
import type {
  AudioContent,
  ChosenModel,
  ImageContent,
  ModelWishes,
  SamplingAnswer,
  SamplingContent,
  SamplingMessage,
  SamplingModel,
  SamplingRequest,
  TextContent,
} from '../../contract/chat/samplingModel.ts';
import { KnownModels, isVscodeModelName } from '../models/knownModels.ts';
import type { ImageBlock, ModelEvent, ModelMessage, ModelProvider, TextBlock } from '../models/modelProvider.ts';

export interface SamplingOptions {
  /** The provider and model that answer in the chat now ('' for the provider's first model), and the longest answer in tokens. */
  readonly provider: () => { readonly provider: ModelProvider; readonly model: string; readonly maxTokens: number };
  /** What is known of the providers' models, shared with the chat. */
  readonly knownModels?: KnownModels;
}

/** These errors go to servers and not to people, so views/ does not translate them. */
const samplingErrorTable = {
  'chat.noSamplingModel': () => 'No language model is set up in this editor, so it cannot answer sampling requests.',
  'chat.samplingMoved': () => 'The address of the model changed after the question was asked, so nothing was sent.',
  'chat.samplingRefused': () => 'The model refused to answer.',
} as const satisfies ErrorTable;

const samplingError = errorMaker(samplingErrorTable);

/** What Anthropic's models take: no audio, and since API version 2026-10-21 no temperature. */
const takes: ChosenModel['takes'] = { temperature: false, images: true, audio: false };

/** Lets servers ask a model of the provider that the chat uses. The provider is asked nothing before the person has agreed. */
export function createSamplingModel({ provider, knownModels = new KnownModels() }: SamplingOptions): SamplingModel {
  return {
    chooseModel: (wishes) => {
      const { provider: current, model, maxTokens } = provider();
      if (!current.isAi) {
        throw samplingError('chat.noSamplingModel');
      }
      const chatModel = model === '' ? (knownModels.knownFirst(current) ?? '') : model;
      const models = [...new Set([...(chatModel === '' ? [] : [chatModel]), ...knownModels.all(current)])];
      const choice = chooseModel(wishes, models, chatModel);
      return { ...choice, destination: current.destination(choice.model) ?? '', models, maxTokens, takes };
    },
    complete: async (request, signal, onUsage) => {
      const { provider: current } = provider();
      if (!current.isAi) {
        throw samplingError('chat.noSamplingModel'); // the key was removed while the question was open
      }
      const destination = boundTo(request, current);
      const model = request.model === '' ? await knownModels.first(current, signal) : request.model;
      return readAnswer(current, { ...request, model, destination }, signal, onUsage);
    },
  };
}

/** The address that the request goes to. Throws when it is no longer the one that the question named. */
function boundTo({ model, destination }: SamplingRequest, provider: ModelProvider): string | undefined {
  const now = provider.destination(model);
  // The name of a VS Code model says who gets the request, also when the person chose another model than the question proposed.
  const isNamed = provider.kind === 'vscode' && isVscodeModelName(model);
  if (destination !== undefined && destination !== now && !isNamed) {
    throw samplingError('chat.samplingMoved');
  }
  return now;
}

async function readAnswer(
  provider: ModelProvider,
  request: SamplingRequest,
  signal: AbortSignal,
  onUsage: Parameters<SamplingModel['complete']>[2],
): Promise<SamplingAnswer> {
  const { model, destination, systemPrompt: system, maxTokens, stopSequences, toolChoice } = request;
  const names = new ToolNames(request.tools.map(({ name }) => name));
  const tools = request.tools.map(({ name, description, inputSchema }) => {
    return { name: names.toModel(name), description, inputSchema, server: '', tool: name };
  });
  const content = new AnswerContent(names);
  const messages = toMessages(request.messages, names);
  const asked = { model, destination, system, messages, tools, maxTokens, stopSequences, toolChoice };
  for await (const event of provider.stream(asked, signal)) {
    if (event.kind === 'usage') {
      onUsage?.({ inputTokens: event.inputTokens, outputTokens: event.outputTokens });
    }
    content.read(event);
  }
  return { model, ...content.result() };
}

/** Collects the answer of the model as it streams in. */
class AnswerContent {
  readonly #names: ToolNames;
  readonly #content: SamplingAnswer['content'][number][] = [];
  #usage: SamplingAnswer['usage'] = { inputTokens: 0, outputTokens: 0 };
  #stopReason: SamplingAnswer['stopReason'] = 'endTurn';

  constructor(names: ToolNames) {
    this.#names = names;
  }

  read(event: ModelEvent): void {
    switch (event.kind) {
      case 'text':
        this.#addText(event.text);
        break;
      case 'toolUse':
        this.#content.push({ type: 'toolUse', id: event.id, name: this.#names.toServer(event.name), input: event.input });
        break;
      case 'usage':
        this.#usage = { inputTokens: event.inputTokens, outputTokens: event.outputTokens };
        break;
      case 'stop':
        this.#stopReason = stopReasonOf(event);
        break;
      case 'thinking':
      case 'opaque':
      case 'waiting':
      case 'content':
        break; // servers cannot use these events
    }
  }

  result(): Omit<SamplingAnswer, 'model'> {
    return { content: this.#content, stopReason: this.#stopReason, usage: this.#usage };
  }

  #addText(text: string): void {
    const last = this.#content.at(-1);
    if (last?.type === 'text') {
      this.#content[this.#content.length - 1] = { type: 'text', text: last.text + text };
    } else {
      this.#content.push({ type: 'text', text });
    }
  }
}

function stopReasonOf({ reason }: Extract<ModelEvent, { kind: 'stop' }>): SamplingAnswer['stopReason'] {
  switch (reason) {
    case 'refusal':
      throw samplingError('chat.samplingRefused');
    case 'maxTokens':
    case 'contextFull':
      return 'maxTokens';
    case 'toolUse':
      return 'toolUse';
    case 'stopSequence':
      return 'stopSequence';
    case 'end':
      return 'endTurn';
  }
}

/** Converts the messages for the provider. Roles have to alternate, so consecutive messages of one role become one. */
function toMessages(messages: readonly SamplingMessage[], names: ToolNames): readonly ModelMessage[] {
  const joined: SamplingMessage[] = [];
  for (const { role, content } of messages) {
    const last = joined.at(-1);
    const said = content.filter((block) => block.type !== 'text' || block.text.trim() !== ''); // providers refuse an empty text
    if (last?.role === role) {
      joined[joined.length - 1] = { role, content: [...last.content, ...said] };
    } else if (said.length > 0) {
      joined.push({ role, content: said });
    }
  }
  return joined.map(({ role, content }) =>
    role === 'user'
      ? { role, content: content.flatMap(toUserBlock) }
      : { role, content: content.flatMap((block) => toAssistantBlock(block, names)) },
  );
}

type UserBlock = Extract<ModelMessage, { role: 'user' }>['content'][number];
type AssistantBlock = Extract<ModelMessage, { role: 'assistant' }>['content'][number];

function toUserBlock(block: SamplingContent): UserBlock[] {
  switch (block.type) {
    case 'toolUse':
      return []; // such a request was refused before
    case 'toolResult': {
      const { toolUseId, isError } = block;
      const outcome = isError ? 'failed' : 'done';
      return [{ type: 'toolResult', toolUseId, isError, outcome, content: block.content.map(toPlainBlock) }];
    }
    case 'text':
    case 'image':
    case 'audio':
      return [toPlainBlock(block)];
  }
}

function toAssistantBlock(block: SamplingContent, names: ToolNames): AssistantBlock[] {
  switch (block.type) {
    case 'toolUse':
      return [{ ...block, name: names.toModel(block.name) }];
    case 'toolResult':
      return []; // such a request was refused before
    case 'text':
      return [block];
    case 'image':
    case 'audio':
      return [leftOut(block)];
  }
}

function toPlainBlock(block: TextContent | ImageContent | AudioContent): TextBlock | ImageBlock {
  return block.type === 'audio' ? leftOut(block) : block;
}

/** A text in place of content that the model cannot take, so that it does not answer as if nothing had been there. */
function leftOut({ type, mimeType }: ImageContent | AudioContent): TextBlock {
  return { type: 'text', text: `[Left out: ${type} (${mimeType.slice(0, 100)}), which this model cannot take here]` };
}

type Choice = Pick<ChosenModel, 'model' | 'by'>;

/**
 * How cheap, fast and able the model families are compared to each other, from 0 to 1. Models of other families are chosen by their
 * name only.
 */
const families: readonly { readonly name: string; readonly cost: number; readonly speed: number; readonly intelligence: number }[] = [
  { name: 'haiku', cost: 1, speed: 1, intelligence: 0.3 },
  { name: 'sonnet', cost: 0.7, speed: 0.7, intelligence: 0.7 },
  { name: 'opus', cost: 0.4, speed: 0.4, intelligence: 0.85 },
  { name: 'fable', cost: 0.1, speed: 0.2, intelligence: 1 },
];

/**
 * Chooses a model by a server's wishes. The first hint that is part of a model's name decides. Without one it is the family with the
 * most points (each priority times the family's value), and of that family the model that the provider lists first, which is its
 * newest. Otherwise it is the model of the chat.
 */
export function chooseModel(wishes: ModelWishes, models: readonly string[], chatModel: string): Choice {
  const hinted = wishes.hints.map((hint) => models.find((id) => id.toLowerCase().includes(hint.trim().toLowerCase()))).find(isKnown);
  if (hinted !== undefined) {
    return { model: hinted, by: 'hint' };
  }
  const best = bestFamily(wishes, models);
  return best === undefined ? { model: chatModel, by: 'chat' } : { model: best, by: 'priorities' };
}

function bestFamily({ cost = 0, speed = 0, intelligence = 0 }: ModelWishes, models: readonly string[]): string | undefined {
  if (cost + speed + intelligence === 0) {
    return undefined;
  }
  let best: { readonly model: string; readonly points: number } | undefined;
  for (const model of models) {
    const family = families.find(({ name }) => model.includes(name));
    const points = family === undefined ? -1 : cost * family.cost + speed * family.speed + intelligence * family.intelligence;
    if (family !== undefined && (best === undefined || points > best.points)) {
      best = { model, points };
    }
  }
  return best?.model;
}

function isKnown(model: string | undefined): model is string {
  return model !== undefined;
}

/** The names of tools that providers accept. */
const taken = /^[a-zA-Z0-9_-]{1,64}$/;

/** Gives tools whose names a provider would refuse other names, and translates them back. */
export class ToolNames {
  readonly #toModel = new Map<string, string>();
  readonly #toServer = new Map<string, string>();

  constructor(names: readonly string[]) {
    const fitting = new Set(names.filter((name) => taken.test(name)));
    names.forEach((name, index) => {
      const other = `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 50)}_${index}`;
      const given = fitting.has(name) ? name : fitting.has(other) ? `tool_${index}_of_${names.length}` : other;
      this.#toModel.set(name, given);
      this.#toServer.set(given, name);
    });
  }

  /** The provider's name of a tool, also for one in the history that is no longer offered. */
  toModel(name: string): string {
    return this.#toModel.get(name) ?? (name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'tool');
  }

  toServer(name: string): string {
    return this.#toServer.get(name) ?? name;
  }
}
