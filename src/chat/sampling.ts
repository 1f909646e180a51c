import { FirstModels } from './firstModels.ts';
import type { ModelMessage, ModelProvider } from './modelProvider.ts';
import { errorMaker, type ErrorTable } from '../base/errors.ts';

export interface SamplingOptions {
  /** Who answers in the chat now, and the model chosen there ("" for the provider's first). */
  readonly provider: () => { readonly provider: ModelProvider; readonly model: string };
}

export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface SamplingRequest {
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
}

export interface SamplingAnswer {
  readonly model: string;
  readonly text: string;
  readonly stopReason: 'endTurn' | 'maxTokens';
}

/** Both throw an AppError when no model can answer. */
export interface SamplingModel {
  /** Sends nothing anywhere: '' stands for the provider's first, where only the provider knows which that is. */
  chooseModel(hints: readonly string[]): string;
  complete(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
}

/** Only servers read these, so that views/ has no sentences for them. */
const samplingErrorTable = {
  'chat.noSamplingModel': () => 'No language model is set up in this editor, so it cannot answer sampling requests.',
  'chat.samplingRefused': () => 'The model refused to answer.',
} as const satisfies ErrorTable;

const samplingError = errorMaker(samplingErrorTable);

/** Servers borrow the model that the chat uses. The hints of a server choose nothing: the person's choice stands. */
export function createSamplingModel({ provider }: SamplingOptions): SamplingModel {
  const firstModels = new FirstModels();
  return {
    chooseModel: () => {
      const chosen = provider();
      if (!chosen.provider.isAi) {
        throw samplingError('chat.noSamplingModel');
      }
      return chosen.model === '' ? (firstModels.known(chosen.provider) ?? '') : chosen.model;
    },
    complete: async (request, signal) => {
      const { provider: current } = provider();
      if (!current.isAi) {
        throw samplingError('chat.noSamplingModel'); // the key was taken away while the question was open
      }
      const model = request.model === '' ? await firstModels.get(current, signal) : request.model;
      return readAnswer(current, { ...request, model }, signal);
    },
  };
}

async function readAnswer(provider: ModelProvider, request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
  const { model, systemPrompt: system, messages, maxTokens } = request;
  let text = '';
  let stopReason: SamplingAnswer['stopReason'] = 'endTurn';
  for await (const event of provider.stream({ model, system, messages: toMessages(messages), tools: [], maxTokens }, signal)) {
    if (event.kind === 'text') {
      text += event.text;
    } else if (event.kind === 'stop') {
      if (event.reason === 'refusal') {
        throw samplingError('chat.samplingRefused');
      }
      stopReason = event.reason === 'maxTokens' || event.reason === 'contextFull' ? 'maxTokens' : 'endTurn';
    }
  }
  return { model, text, stopReason };
}

/** Providers want the roles to alternate: what one side says in a row becomes one message. */
function toMessages(messages: readonly SamplingMessage[]): readonly ModelMessage[] {
  const joined: { role: SamplingMessage['role']; texts: string[] }[] = [];
  for (const { role, text } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) {
      last.texts.push(text);
    } else {
      joined.push({ role, texts: [text] });
    }
  }
  return joined.map(({ role, texts }) => ({ role, content: texts.map((text) => ({ type: 'text', text })) }));
}
