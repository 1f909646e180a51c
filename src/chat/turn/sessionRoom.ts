import type { PickableTool, ToolChange } from '../../contract/chat/contextBudget.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import { unheardBy } from '../conversation/audience.ts';
import { chatError, type ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { FirstModels } from '../models/knownModels.ts';
import type { ModelProvider } from '../models/modelProvider.ts';
import { prepareToResume } from './answerEnd.ts';
import type { Answering, ChatBudget } from '../budget/chatBudget.ts';
import { canCompact, compactConversation, undoCompaction } from '../budget/compaction.ts';

export interface SessionBudgetOptions {
  readonly budget: ChatBudget | undefined;
  readonly conversation: () => Conversation;
  readonly settings: () => { readonly provider: ModelProvider; readonly model: string; readonly maxTokens: number };
  readonly firstModels: FirstModels;
  readonly sentences: ChatSentences;
  readonly createId: () => string;
  /** Whether anybody looks at it; left out: somebody does. */
  readonly isSeen?: (() => boolean) | undefined;
  /** Runs while no answer does, and is stopped like one; rejects when something runs. */
  readonly alone: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
}

/** What the person does about the room of the conversation that is shown. */
export class SessionBudget {
  readonly #options: SessionBudgetOptions;

  constructor(options: SessionBudgetOptions) {
    this.#options = options;
  }

  status(): Pick<ChatState, 'context' | 'instructions'> {
    const { budget, conversation, isSeen = () => true } = this.#options;
    return budget === undefined
      ? {}
      : { context: budget.context(conversation(), this.#answering(), isSeen), instructions: budget.instructions() };
  }

  /** Lets a summary stand for all that was said so far. */
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

  /** Takes a summary back. False when there is no such one. */
  async undoCompaction(id: string): Promise<boolean> {
    let isDone = false;
    await this.#options.alone(async () => {
      isDone = await Promise.resolve(undoCompaction(this.#options.conversation(), id));
    });
    return isDone;
  }

  /** The whole of a result that was kept; rejects when it is no longer there. */
  async wholeResult(id: string): Promise<string> {
    const { budget, conversation } = this.#options;
    const text = await budget?.results.whole(conversation().id, id);
    if (text === undefined) {
      throw chatError('chat.resultGone');
    }
    return text;
  }

  pickableTools(): PickableTool[] {
    return this.#options.budget?.pickable(this.#options.conversation(), this.#answering()) ?? [];
  }

  async chooseTool(change: ToolChange): Promise<void> {
    await this.#options.budget?.choose(this.#options.conversation(), change);
  }

  /** Who would answer now. */
  #answering(): Answering {
    const { provider, model } = this.#options.settings();
    return { provider, model: model === '' ? this.#options.firstModels.known(provider) : model };
  }

  async #compact(signal: AbortSignal): Promise<void> {
    const { budget, firstModels, sentences, createId } = this.#options;
    const conversation = this.#options.conversation();
    // What is withheld is not sent, and neither would be a summary in it.
    const itemId = conversation.turns.findLast(({ isWithheld }) => !isWithheld)?.assistantItemId;
    if (itemId === undefined || !canCompact(conversation.turns)) {
      throw chatError('chat.nothingToCompact');
    }
    const { provider, model, maxTokens } = this.#options.settings();
    const chosen = model === '' ? await firstModels.get(provider, signal) : model;
    const destination = provider.destination(chosen);
    if (destination !== undefined && unheardBy(conversation.turns, destination) !== undefined) {
      throw chatError('chat.compactionUnheard');
    }
    const contextTokens = budget?.limits.limitOf(provider, chosen);
    const item = conversation.assistant(itemId);
    if (item.state === 'interrupted') {
      conversation.updateTurn(itemId, (turn) => prepareToResume(turn, item)); // what it had written is to be in the summary
    }
    // An answer that may go on still has its question to answer.
    const isWithinTurn = item.state !== 'done';
    const options = { conversation, itemId, isWithinTurn, provider, destination, maxTokens, contextTokens, sentences, createId, signal };
    await compactConversation({ ...options, model: chosen, by: 'person' });
  }
}
