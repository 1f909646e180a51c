import { DisposableStore } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Choice } from '../../contract/questions.ts';
import type { Client } from '../shared/sdk.ts';
import type { SamplingMessage, SamplingRequest } from './featurePorts.ts';
import type { HandlerContext } from './handlerContext.ts';
import { internalError, invalidParams, rpcError, storedRefusal } from './requestGuard.ts';
import type { ClientHandlers } from './serverFeatures.ts';

const choices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce'];
const maxTokensAtOnce = 4_096;
/** Of one server while this window is open. */
const tokenBudget = 200_000;
const maxTextLength = 200_000;
const maxMessages = 100;

/** The parts of a request this side looks at. `includeContext` is not one of them: no server sees what is not its own. */
interface Params {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
  readonly maxTokens: number;
  readonly modelPreferences?: { readonly hints?: readonly { readonly name?: string | undefined }[] | undefined } | undefined;
  readonly tools?: unknown;
}

interface Result {
  readonly role: 'assistant';
  readonly content: { readonly type: 'text'; readonly text: string };
  readonly model: string;
  readonly stopReason: string;
}

/** A server asks for an answer of the person's model: shown whole, capped, and paid from a budget of its own. */
export class SamplingHandler implements ClientHandlers {
  readonly #context: HandlerContext;
  readonly #lifetime = new DisposableStore();
  readonly #gone = new AbortController();
  #tokensLeft = tokenBudget;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  configure(client: Client): void {
    client.registerCapabilities({ sampling: {} });
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      this.#context.guard.run('sampling', client, () =>
        this.#context.calls.during(async (wanted) => ({
          ...(await this.answer(params, AbortSignal.any([mcpReq.signal, this.#gone.signal, wanted]))),
        })),
      ),
    );
  }

  dispose(): void {
    this.#gone.abort();
    this.#lifetime.dispose();
  }

  async answer(params: Params, signal: AbortSignal): Promise<Result> {
    const { samplingModel } = this.#context.ports;
    const { systemPrompt, messages } = readTexts(params);
    const maxTokens = Math.min(params.maxTokens, maxTokensAtOnce, this.#tokensLeft);
    if (maxTokens < 1) {
      throw rpcError(internalError, 'The budget for sampling of this server is used up.');
    }
    const hints = params.modelPreferences?.hints?.flatMap(({ name }) => (name === undefined ? [] : [name])) ?? [];
    const model = samplingModel.chooseModel(hints);
    const request: SamplingRequest = { model, systemPrompt, messages, maxTokens };
    if (!(await this.#isAllowed(request, signal))) {
      throw rpcError(-1, 'User rejected sampling request');
    }
    this.#tokensLeft -= maxTokens;
    const { text, stopReason, model: answeredBy } = await samplingModel.complete(request, signal);
    return { role: 'assistant', content: { type: 'text', text }, model: answeredBy, stopReason };
  }

  async #isAllowed({ model, systemPrompt, messages, maxTokens }: SamplingRequest, signal: AbortSignal): Promise<boolean> {
    const { gate, ports, serverId, label } = this.#context;
    const server = revealInvisible(label());
    const shown = messages.map(({ role, text }) => ({ role, text: revealInvisible(text) }));
    const decision = await gate.check({
      request: {
        principal: 'host',
        action: 'useModel',
        subject: ['server', serverId, 'sampling'],
        fingerprint: fingerprintOf({ model, systemPrompt, messages: shown, maxTokens }),
        material: { server }, // what was asked is not kept with a remembered "no"
      },
      detail: { kind: 'sampling', server, systemPrompt: revealInvisible(systemPrompt), messages: shown, model, maxTokens },
      choices,
      ask: ports.ask,
      signal,
    });
    if (decision.kind === 'denied' && decision.by === 'ledger') {
      this.#context.log.info(storedRefusal('A request for the model'));
    }
    return decision.kind === 'allowed';
  }
}

function readTexts({ systemPrompt = '', messages, tools }: Params): { systemPrompt: string; messages: readonly SamplingMessage[] } {
  if (tools !== undefined) {
    throw rpcError(invalidParams, 'This client does not offer tools in sampling.');
  }
  const texts = messages.flatMap(({ role, content }) => [content].flat().map((block): SamplingMessage => ({ role, text: textOf(block) })));
  const length = texts.reduce((sum, { text }) => sum + text.length, systemPrompt.length);
  if (texts.length === 0 || texts.length > maxMessages || length > maxTextLength) {
    throw rpcError(invalidParams, `A sampling request has 1 to ${maxMessages} messages and at most ${maxTextLength} characters.`);
  }
  return { systemPrompt, messages: texts };
}

function textOf(block: unknown): string {
  if (typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string') {
    return block.text;
  }
  throw rpcError(invalidParams, 'This client takes only text in sampling.');
}
