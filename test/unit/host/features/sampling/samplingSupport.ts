import type { ChosenModel, SamplingAnswer, SamplingModel, SamplingRequest } from '../../../../../src/contract/chat/samplingModel.ts';

export const chosenModel: ChosenModel = {
  model: 'model-1',
  destination: 'https://model.example',
  by: 'chat',
  models: ['model-1'],
  maxTokens: 4_096,
  takes: { temperature: false, images: true, audio: false },
};

export function answerOf(model: string, text: string): SamplingAnswer {
  return { model, content: [{ type: 'text', text }], stopReason: 'endTurn', usage: { inputTokens: 10, outputTokens: 5 } };
}

/** A model that always says the same, and keeps what it was asked. */
export function modelSaying(text: string, asked: SamplingRequest[] = []): SamplingModel {
  return {
    chooseModel: () => chosenModel,
    complete: (request) => {
      asked.push(request);
      return Promise.resolve(answerOf(request.model || chosenModel.model, text));
    },
  };
}

export const noModel: SamplingModel = {
  chooseModel: () => chosenModel,
  complete: () => Promise.reject(new Error('There is no model.')),
};

/** What a server asks for, and what it hears after a no. */
export const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What\u200B is it?' } }],
  maxTokens: 1_000_000,
};
export const rejected = { error: { code: -1, message: 'User rejected sampling request' } };
