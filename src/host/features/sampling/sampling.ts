// sampling/: a server asks for an answer of the person's model: reading the request, its review by the person, the budget. This file
// leads one request through all of it; it is loaded with the first one.
import { randomUUID } from 'node:crypto';
import { untilAborted } from '../../../base/abort.ts';
import { isAbort } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { AuditRecord } from '../../../consent/audit/auditLog.ts';
import type { ConsentRequest } from '../../../consent/consentModel.ts';
import { differencesAtServer, fingerprintOf } from '../../../consent/fingerprint.ts';
import type { Choice, Question } from '../../../contract/questions/questions.ts';
import type { SamplingEdit, SamplingQuestion } from '../../../contract/questions/samplingQuestions.ts';
import type {
  ChosenModel,
  SamplingAnswer,
  SamplingMessage,
  SamplingRequest,
  TextContent,
  ToolUseContent,
} from '../../../contract/chat/samplingModel.ts';
import { type HandlerContext, internalError, rpcError, storedRefusal } from '../handlerContext.ts';
import type { Payment } from './samplingBudget.ts';
import { type AskedSampling, capSampling, readSampling, type SamplingParams } from './samplingRequest.ts';
import { editContent, editRequest, mostTokens, responseDetail, samplingDetail, shownText } from './samplingReview.ts';

const choices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace'];
/** The most characters of the name of a model that the person chose for a request. */
const maxModelLength = 200;

/** A request before anybody agreed to it. */
interface Wanted {
  readonly asked: AskedSampling;
  readonly chosen: ChosenModel;
  readonly request: SamplingRequest;
  /** The tools that run now, and what is being read. */
  readonly during: readonly string[];
  readonly signal: AbortSignal;
}

/** A request that may be sent, and how it was agreed to. */
interface Agreed {
  readonly request: SamplingRequest;
  readonly payment: Payment;
  readonly decidedBy: 'person' | 'remembered';
  /** The remembered permission; when it is revoked, the request ends. */
  readonly consent?: ConsentRequest | undefined;
  /** Remembers the answer for later requests, once the result of this one was returned. */
  readonly remember?: ((request: ConsentRequest) => Promise<void>) | undefined;
}

/**
 * Answers a server that asks for an answer of the person's model. The person sees and may change everything before it is
 * sent, and the answer before the server gets it. A permission for longer holds for the same model, address and limits,
 * within a budget.
 */
export class SamplingAnswers {
  readonly #context: HandlerContext;
  readonly #app: string | undefined;

  /** `app` is the tool whose app asks, where it is not the server itself; permissions for one do not hold for the other. */
  constructor(context: HandlerContext, app?: string) {
    this.#context = context;
    this.#app = app;
  }

  get #asker(): Pick<ConsentRequest, 'principal' | 'subject'> {
    const { serverId } = this.#context;
    return this.#app === undefined
      ? { principal: 'host', subject: ['server', serverId, 'sampling'] }
      : { principal: `app:${serverId}`, subject: ['server', serverId, 'app', 'sampling'] };
  }

  async answer(params: SamplingParams, during: readonly string[], signal: AbortSignal): Promise<SamplingResult> {
    const asked = readSampling(params);
    await untilAborted(Promise.resolve(this.#context.ports.prepareModel?.()), signal);
    signal.throwIfAborted();
    const chosen = this.#context.ports.samplingModel.chooseModel(asked.wishes);
    const { systemPrompt, messages, stopSequences, tools, toolChoice } = asked;
    const { model, destination } = chosen;
    const request = { model, destination, systemPrompt, messages, stopSequences, tools, toolChoice, ...capSampling(asked, chosen) };
    const agreed = await this.#agree({ asked, chosen, request, during, signal });
    const answer = await this.#whileAllowed(agreed, signal);
    if (agreed.decidedBy === 'remembered') {
      return toSamplingResult(answer, tools.length > 0);
    }
    const reviewed = await this.#review(answer, signal);
    await agreed.remember?.(this.#consentFor(this.#shownChoice(asked, chosen), agreed.request.model || answer.model));
    return toSamplingResult(reviewed, tools.length > 0);
  }

  /** A remembered permission suffices as long as the budget lasts; otherwise the person decides. */
  async #agree(wanted: Wanted): Promise<Agreed> {
    const { gate, ports, serverId, log } = this.#context;
    const consent = this.#consentFor(wanted.chosen, wanted.request.model);
    const detail = await this.#detailOf(wanted);
    const known = gate.verdict(consent);
    if (known.kind === 'allow') {
      const request = { ...wanted.request, model: modelOf(known.answer.material) ?? wanted.request.model };
      const payment = await ports.samplingBudgets.payWithin(serverId, mostTokens(request));
      if (payment !== undefined && (await gate.checkQuietly(consent, detail)) === 'allow') {
        return { request, payment, decidedBy: 'remembered', consent };
      }
      await payment?.settle(0);
    }
    let budget: SamplingEdit['budget'];
    const decision = await gate.check({
      request: consent,
      detail,
      differencesFrom: (previous) => differencesAtServer(previous, consent.material),
      choices,
      ask: async (question, asking) => {
        const answer = await ports.ask(question, asking);
        budget = answer.sampling?.budget;
        return answer;
      },
      // The person is asked in spite of their earlier permission, because that one holds within the budget only.
      asksAnew: known.kind === 'allow',
      remembersLater: true,
      signal: wanted.signal,
    });
    if (decision.kind === 'allowed' && decision.by === 'ledger') {
      return this.#agree(wanted); // it was allowed for longer meanwhile, in another window; the budget is checked again
    }
    // The budget is set even when the person refuses the request. If it cannot be stored, no later request may go out unseen.
    const isBudgetKept = budget === undefined || (await ports.samplingBudgets.setLimits(serverId, budget));
    if (decision.kind === 'denied') {
      if (decision.by === 'ledger') {
        log.info(storedRefusal('A request for the model'));
      }
      throw rejected();
    }
    const { answer, remember } = decision;
    const edited = await this.#edited(wanted, answer.sampling ?? {});
    return { ...edited, decidedBy: 'person', ...(isBudgetKept && { remember }) };
  }

  async #edited({ request, chosen }: Wanted, edit: SamplingEdit): Promise<Pick<Agreed, 'request' | 'payment'>> {
    const { serverId, ports } = this.#context;
    const changed = editRequest(request, edit);
    if (changed === undefined) {
      throw rpcError(internalError, 'The changed request cannot be sent.');
    }
    const edited: SamplingRequest = {
      ...request,
      ...changed,
      model: edit.model?.trim().slice(0, maxModelLength) ?? request.model,
      messages: withContext(changed.messages, edit.context),
      maxTokens: Math.min(edit.maxTokens ?? request.maxTokens, chosen.maxTokens),
    };
    return { request: edited, payment: await ports.samplingBudgets.pay(serverId, mostTokens(edited)) };
  }

  /** A request that nobody sees ends when its permission is revoked. */
  async #whileAllowed(agreed: Agreed, signal: AbortSignal): Promise<SamplingAnswer> {
    const { consent } = agreed;
    if (consent === undefined) {
      return this.#complete(agreed, signal);
    }
    const { gate } = this.#context;
    const revoked = new AbortController();
    const look = (): void => {
      if (gate.isRevoked(consent)) {
        revoked.abort();
      }
    };
    const listening = gate.onDidChange(look);
    try {
      look();
      const answer = await this.#complete(agreed, AbortSignal.any([signal, revoked.signal]));
      revoked.signal.throwIfAborted();
      return answer;
    } catch (error) {
      throw revoked.signal.aborted && !signal.aborted ? rejected() : error;
    } finally {
      listening.dispose();
    }
  }

  async #complete({ request, payment, decidedBy }: Agreed, signal: AbortSignal): Promise<SamplingAnswer> {
    const started = performance.now();
    let outcome: AuditRecord['outcome'] = 'failed';
    // A request that was broken off may have produced its whole answer, so the advance payment stays, or more if more was used.
    let tokens = mostTokens(request);
    try {
      const answer = await this.#context.ports.samplingModel.complete(request, signal, (usage) => {
        tokens = Math.max(tokens, tokensOf(usage));
      });
      tokens = tokensOf(answer.usage);
      outcome = 'succeeded';
      return answer;
    } catch (error) {
      outcome = signal.aborted || isAbort(error) ? 'cancelled' : 'failed';
      throw error;
    } finally {
      await payment.settle(tokens);
      const durationMs = performance.now() - started;
      const peer = revealInvisible(this.#context.label());
      this.#context.ports.audit?.note({
        principal: this.#asker.principal,
        peer,
        action: 'useModel',
        subject: request.model,
        decidedBy,
        outcome,
        durationMs,
      });
    }
  }

  /** The answer as the person lets it go to the server. */
  async #review(answer: SamplingAnswer, signal: AbortSignal): Promise<SamplingAnswer> {
    const { ports, gate, label } = this.#context;
    const detail = responseDetail(revealInvisible(label()), answer, ports.findSecrets);
    const question: Question = { askId: randomUUID(), detail, why: 'new', differences: [], choices: ['deny', 'allowOnce'] };
    signal.throwIfAborted();
    const { choice, sampling } = await ports.ask(question, signal);
    const content = choice === 'allowOnce' ? editContent(answer.content, sampling?.texts) : undefined;
    const request = { ...this.#asker, action: 'returnAnswer', material: {} } as const;
    await gate.record({ request, detail, outcome: content === undefined ? 'denied' : 'allowed', by: 'person' });
    if (content === undefined) {
      throw rejected();
    }
    return { ...answer, content };
  }

  async #detailOf({ asked, chosen, request, during }: Wanted): Promise<SamplingQuestion> {
    const { ports, serverId, label } = this.#context;
    const { findSecrets } = ports;
    const context = asked.wantsContext ? ports.resultsOf(serverId) : undefined;
    return {
      ...samplingDetail({ asked, request, chosen, findSecrets }),
      server: revealInvisible(label()),
      during: during.map(revealInvisible),
      ...(this.#app !== undefined && { app: revealInvisible(this.#app) }),
      budget: await ports.samplingBudgets.look(serverId, mostTokens(request)),
      ...(context !== undefined && context.count > 0 && { context: { results: context.count, ...shownText(context.text, findSecrets) } }),
    };
  }

  /** The model that the question showed. Where the provider's default model was not known yet, it is the one that is chosen now. */
  #shownChoice({ wishes }: AskedSampling, shown: ChosenModel): ChosenModel {
    return shown.model === '' ? { ...shown, model: this.#context.ports.samplingModel.chooseModel(wishes).model } : shown;
  }

  /** A remembered answer is bound to what this side would choose, and also holds the model that the person chose. */
  #consentFor({ model: planned, destination, maxTokens }: ChosenModel, model: string): ConsentRequest {
    const server = this.#context.identity();
    return {
      ...this.#asker,
      action: 'useModel',
      fingerprint: fingerprintOf({ model: planned, destination, maxTokens, server }),
      material: { model, destination, maxTokens, server },
    };
  }
}

function modelOf({ model }: JsonObject): string | undefined {
  return typeof model === 'string' && model !== '' ? model : undefined;
}

function withContext(messages: readonly SamplingMessage[], context = ''): readonly SamplingMessage[] {
  const first = messages.findIndex(({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'toolResult'));
  if (context.trim() === '') {
    return messages;
  }
  const added = { type: 'text', text: `What this server's tools returned in the conversation so far:\n\n${context}` } as const;
  if (first < 0) {
    return [{ role: 'user', content: [added] }, ...messages];
  }
  return messages.map((message, index) => (index === first ? { ...message, content: [added, ...message.content] } : message));
}

function tokensOf({ inputTokens, outputTokens }: SamplingAnswer['usage']): number {
  return inputTokens + outputTokens;
}

function rejected(): Error {
  return rpcError(-1, 'User rejected sampling request');
}

type WireText = { readonly type: 'text'; readonly text: string };
type WireContent = WireText | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject };

/** The result in the protocol's terms. */
type SamplingResult = {
  readonly role: 'assistant';
  readonly content: WireContent | WireContent[];
  readonly model: string;
  readonly stopReason: string;
};

/** Only a server that sent tools accepts several pieces of content; for others all texts are joined. */
function toSamplingResult({ content, model, stopReason }: SamplingAnswer, hasTools: boolean): SamplingResult {
  const common = { role: 'assistant', model, stopReason } as const;
  if (!hasTools) {
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    return { ...common, content: { type: 'text', text } };
  }
  const blocks = content.map(toWire);
  return { ...common, content: blocks.length === 0 ? { type: 'text', text: '' } : blocks };
}

function toWire(block: TextContent | ToolUseContent): WireContent {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'tool_use', id: block.id, name: block.name, input: { ...block.input } };
}
