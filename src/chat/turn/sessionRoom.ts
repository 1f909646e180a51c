import type { Pickable, ToolChange } from '../../contract/chat/contextBudget.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import { unheardBy } from '../conversation/audience.ts';
import { chatError, type ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { KnownModels } from '../models/knownModels.ts';
import type { ModelProvider } from '../models/modelProvider.ts';
import { prepareToResume } from './answerEnd.ts';
import type { Answering, ChatBudget } from '../budget/chatBudget.ts';
import { canCompact, compactConversation, undoCompaction } from '../budget/compaction.ts';

export interface SessionRoomOptions {
  readonly budget: ChatBudget | undefined;
  readonly conversation: () => Conversation;
  readonly untilModelKnown?: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly settings: () => { readonly provider: ModelProvider; readonly model: string; readonly maxTokens: number };
  readonly knownModels: KnownModels;
  readonly sentences: ChatSentences;
  readonly createId: () => string;
  /** Whether anybody sees this chat; without it, somebody does. */
  readonly isSeen?: (() => boolean) | undefined;
  /** Runs work while no answer does; Stop ends it like an answer. Rejects when something else is running. */
  readonly alone: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
}

/** What the person sees of, and does about, the room that the shown conversation takes in the model's context. */
export class SessionRoom {
  readonly #options: SessionRoomOptions;

  constructor(options: SessionRoomOptions) {
    this.#options = options;
  }

  status(): Pick<ChatState, 'context' | 'instructions'> {
    const { budget, conversation, isSeen = () => true } = this.#options;
    return budget === undefined
      ? {}
      : { context: budget.context(conversation(), this.#answering(), isSeen), instructions: budget.instructions() };
  }

  /** Replaces all that was said so far by a summary, for the model only. */
  async compact(): Promise<void> {
    await this.#options.alone(async (signal) => {
      try {
        await this.#compact(signal);
      } catch (error) {
        if (!signal.aborted) {
          throw error;
        }
      }
    });
  }

  /** Takes a summary back, so that the model gets the messages themselves again. False when there is no such summary. */
  async undoCompaction(id: string): Promise<boolean> {
    let isDone = false;
    await this.#options.alone(async () => {
      isDone = await Promise.resolve(undoCompaction(this.#options.conversation(), id));
    });
    return isDone;
  }

  /** The whole text of a long result; rejects when it is no longer kept. */
  async wholeResult(id: string): Promise<string> {
    const { budget, conversation } = this.#options;
    const text = await budget?.results.whole(conversation().id, id);
    if (text === undefined) {
      throw chatError('chat.resultGone');
    }
    return text;
  }

  pickable(): Pickable {
    return this.#options.budget?.pickable(this.#options.conversation(), this.#answering()) ?? { tools: [] };
  }

  async chooseTool(change: ToolChange): Promise<void> {
    await this.#options.budget?.choose(this.#options.conversation(), change);
  }

  /** The provider and model that would answer now. */
  #answering(): Answering {
    const { provider, model } = this.#options.settings();
    return { provider, model: model === '' ? this.#options.knownModels.knownFirst(provider) : model };
  }

  async #compact(signal: AbortSignal): Promise<void> {
    const { budget, knownModels, sentences, createId } = this.#options;
    const conversation = this.#options.conversation();
    // A withheld turn is not sent to the model, and a summary in it would not be either.
    const itemId = conversation.turns.findLast(({ isWithheld }) => !isWithheld)?.assistantItemId;
    if (itemId === undefined || !canCompact(conversation.turns)) {
      throw chatError('chat.nothingToCompact');
    }
    await this.#options.untilModelKnown?.(signal);
    const { provider, model, maxTokens } = this.#options.settings();
    const chosen = model === '' ? await knownModels.first(provider, signal) : model;
    const destination = provider.destination(chosen);
    if (destination !== undefined && unheardBy(conversation.turns, destination) !== undefined) {
      throw chatError('chat.compactionUnheard');
    }
    const contextTokens = budget?.limits.limitOf(provider, chosen);
    const item = conversation.assistant(itemId);
    if (item.state === 'interrupted') {
      conversation.updateTurn(itemId, (turn) => prepareToResume(turn, item)); // the summary should cover what it had written
    }
    // The question of an answer that may still go on must stay outside of the summary.
    const isWithinTurn = item.state !== 'done';
    const options = { conversation, itemId, isWithinTurn, provider, destination, maxTokens, contextTokens, sentences, createId, signal };
    await compactConversation({ ...options, model: chosen, by: 'person' });
  }
}
