import type { SamplingQuestion } from '../../../../src/contract/questions/samplingQuestions.ts';

/** A small request of a server for the model. */
export function samplingQuestion(more: Partial<SamplingQuestion> = {}): SamplingQuestion {
  return {
    kind: 'sampling',
    server: 'demo',
    during: [],
    systemPrompt: { text: 'Be brief.', secrets: [] },
    messages: [{ role: 'user', parts: [{ kind: 'text', text: 'What is it?', secrets: [] }] }],
    model: 'claude-sonnet-5-5',
    destination: 'https://api.anthropic.com',
    chosenBy: 'chat',
    models: ['claude-sonnet-5-5'],
    hints: [],
    priorities: [],
    maxTokens: { value: 1_000, cap: 8_192 },
    stopSequences: [],
    tools: [],
    budget: { requestsPerHour: 20, tokensPerDay: 100_000, requests: 0, tokens: 0, isExceeded: false },
    ...more,
  };
}
