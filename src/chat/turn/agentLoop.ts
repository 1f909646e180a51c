import { untilAborted } from '../../base/abort.ts';
import { toAppError } from '../../base/errors.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import { redactWith } from '../../secrets/redactSecrets.ts';
import type { TurnBudget } from '../budget/chatBudget.ts';
import type { RequestParts } from '../budget/contextUse.ts';
import { ContentRun, type ContentRunContext } from '../content/contentRun.ts';
import type { ChatContent } from '../content/hostPorts.ts';
import { systemPrompt } from '../content/systemPrompt.ts';
import { askToSend, saidTo, unheardBy } from '../conversation/audience.ts';
import { chatError } from '../conversation/chatSentences.ts';
import { toModelMessages } from '../conversation/history.ts';
import type { ModelMessage, ModelProvider, ModelRequest, ToolResultBlock } from '../models/modelProvider.ts';
import type { TurnEnd } from './answerEnd.ts';
import { ModelRound, type RoundEnd } from './modelRound.ts';
import type { ToolRunContext } from './toolRun.ts';

export interface TurnContext extends Omit<ToolRunContext, 'to'> {
  readonly content: ChatContent;
  readonly provider: ModelProvider;
  /** The address that this answer's requests go to; undefined when they stay on this machine. */
  readonly destination: string | undefined;
  /** Finds the chosen model, once per turn: the provider may have to be asked which of its models is the first. */
  readonly model: (signal: AbortSignal) => Promise<string>;
  readonly maxTokens: number;
  readonly maxRounds: number;
  readonly budget?: TurnBudget | undefined;
  readonly thinking?: boolean | undefined;
  /** Fired when the person does not want to wait any longer for a provider that asked for a pause. */
  readonly retryNow?: ModelRequest['retryNow'];
}

/**
 * Runs one turn: asks the model, runs the tools it calls, asks again, until it is done, the person stops it, a limit is reached or
 * something fails.
 */
export async function runTurn(context: TurnContext): Promise<TurnEnd> {
  try {
    const refusal = await checkAudience(context);
    if (refusal !== undefined) {
      return refusal;
    }
    context.conversation.updateTurn(context.itemId, (turn) => saidTo(turn, context.destination));
    await untilAborted(offerServers(context), context.signal);
    const model = await untilAborted(context.model(context.signal), context.signal);
    await context.budget?.instruct(recipientOf(context, model), askInAnswer(context));
    await attachAll(context, model);
    for (let round = 0; round < context.maxRounds; round += 1) {
      const end = await runRound(context, model);
      if (end !== undefined) {
        return end;
      }
    }
    const error = chatError('chat.roundLimit', { rounds: context.maxRounds });
    return { kind: 'paused', error };
  } catch (error) {
    return context.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error: toAppError(error, 'chat.unexpected') };
  }
}

/** Asks the person before a provider that has not had the conversation so far is sent all of it. */
async function checkAudience(context: TurnContext): Promise<TurnEnd | undefined> {
  const { conversation, destination, signal } = context;
  const unheard = destination === undefined ? undefined : unheardBy(conversation.turns, destination);
  if (destination === undefined || unheard === undefined) {
    return undefined;
  }
  switch (await askToSend(destination, unheard, askInAnswer(context), signal)) {
    case 'send':
      conversation.tell(destination);
      return undefined;
    case 'newConversation':
      return { kind: 'moved' };
    case 'deny':
      return { kind: 'failed', error: chatError('chat.notSent') };
  }
}

async function offerServers(context: TurnContext): Promise<void> {
  const parts = requestParts(context);
  const last = parts.messages.at(-1)?.content.at(-1);
  const message = last?.type === 'text' ? last.text : '';
  const needsAny = (await context.provider.needsAnyServer?.(parts)) ?? false;
  await context.tools.prepare({ ask: askInAnswer(context), signal: context.signal, message, needsAny });
}

/** Makes a function that asks the person by showing the question as a part of the answer for as long as it is open. */
function askInAnswer({ conversation, itemId, questions, createId, signal }: TurnContext): Ask {
  return (question, askSignal) => {
    const id = createId();
    return questions.ask(question, AbortSignal.any([askSignal, signal]), {
      show: (open) => conversation.addPart(itemId, { kind: 'question', id, question: open }),
      hide: () => conversation.removePart(itemId, id),
    });
  };
}

/**
 * Sends one request and runs the tools that the model calls. Undefined means that the model has to see what they returned, in another
 * round.
 */
async function runRound(context: TurnContext, model: string): Promise<TurnEnd | undefined> {
  await context.budget?.beforeRound(model, () => requestParts(context));
  const parts = requestParts(context);
  const { tools } = parts;
  const request: ModelRequest = {
    model,
    ...parts,
    maxTokens: context.maxTokens,
    destination: context.destination,
    thinking: context.thinking,
    retryNow: context.retryNow,
    offers: (signal) => context.content.offers(signal),
    withoutSecrets: (text) => redactWith(text, context.content.secretsIn),
  };
  const to = recipientOf(context, model);
  const round = new ModelRound({ ...context, to, model: context.provider.isAi ? model : undefined }, tools);
  let end: RoundEnd;
  try {
    const events = context.provider.stream(request, context.signal);
    end = await round.read(context.budget?.watch(request, events) ?? events);
  } catch (error) {
    addMessages(context, [{ role: 'assistant', content: round.content }, ...skipAll(round)]);
    throw error;
  }
  if (end.reason !== 'end' && end.reason !== 'toolUse') {
    addMessages(context, [{ role: 'assistant', content: round.content }, ...skipAll(round)]);
    return cutShort(end);
  }
  if (round.runs.length === 0 && round.contents.length === 0) {
    addMessages(context, [{ role: 'assistant', content: round.content }]);
    return { kind: 'done' };
  }
  const [results, contents] = await Promise.all([
    Promise.all(round.runs.map(({ run, isKnown }) => run.run(isKnown))),
    Promise.all(round.contents.map((content) => content.run())),
  ]);
  addMessages(context, [
    { role: 'assistant', content: round.content },
    { role: 'user', content: [...results, ...contents] },
  ]);
  if (context.signal.aborted) {
    return { kind: 'stopped' };
  }
  markSafe(context);
  return undefined;
}

/** Reads what the person attached to the message, before the first request. */
async function attachAll(context: TurnContext, model: string): Promise<void> {
  if (context.conversation.attachedTo(context.itemId).length > 0) {
    await attachToTurn(context, recipientOf(context, model));
    markSafe(context);
  }
}

function recipientOf({ destination }: TurnContext, model: string): ContentDestination {
  return destination === undefined ? { kind: 'guide' } : { kind: 'model', name: model, address: destination };
}

function requestParts({ tools, conversation }: TurnContext): RequestParts {
  const listed = tools.list();
  return {
    system: systemPrompt(listed, tools.instructions?.(), tools.surroundings?.()),
    messages: toModelMessages(conversation.turns),
    tools: listed,
  };
}

function cutShort(end: RoundEnd): TurnEnd {
  const detail = end.explanation === undefined ? {} : { detail: end.explanation };
  switch (end.reason) {
    case 'maxTokens':
      return { kind: 'paused', error: chatError('chat.maxTokens', {}, detail) };
    case 'contextFull':
      return { kind: 'failed', error: chatError('chat.contextFull', {}, detail) };
    case 'refusal':
    case 'end':
    case 'stopSequence':
    case 'toolUse':
      return { kind: 'refused', error: chatError('chat.refusal', {}, detail) };
  }
}

function skipAll(round: ModelRound): readonly ModelMessage[] {
  round.contents.forEach((content) => content.skip());
  return round.runs.length === 0 ? [] : [resultMessage(round.runs.map(({ run }) => run.skip()))];
}

function resultMessage(results: readonly ToolResultBlock[]): ModelMessage {
  return { role: 'user', content: results };
}

function addMessages({ conversation, itemId }: TurnContext, messages: readonly ModelMessage[]): void {
  conversation.updateTurn(itemId, (turn) => ({ ...turn, messages: [...turn.messages, ...messages] }));
}

function markSafe({ conversation, itemId }: TurnContext): void {
  // An open question disappears when it is answered, so it does not count.
  const parts = conversation.assistant(itemId).parts.filter(({ kind }) => kind !== 'question').length;
  conversation.updateTurn(itemId, (turn) => ({ ...turn, safe: { messages: turn.messages.length, parts } }));
}

/**
 * Reads everything attached to the message, at the same time, and asks the person where that is needed. Rejects when the turn is
 * stopped meanwhile.
 */
async function attachToTurn(context: Omit<ContentRunContext, 'to' | 'decidedBy'>, to: ContentDestination): Promise<void> {
  const { conversation, itemId, signal } = context;
  const attached = conversation.attachedTo(itemId);
  if (attached.length === 0) {
    return;
  }
  const runs = attached.map(({ wish }) => new ContentRun(wish, { ...context, to, decidedBy: 'person' }));
  const blocks = await Promise.all(runs.map((run) => run.run()));
  signal.throwIfAborted(); // nothing is settled, so that a retry reads all of it again
  conversation.settleAttached(
    itemId,
    blocks.map((block, index) => ({ block, bytes: runs[index]?.sentBytes ?? 0 })),
  );
}
