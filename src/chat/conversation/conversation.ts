// conversation/: one conversation: its items and turns (this file), what the model is sent of it (history.ts), other versions of a
// message (branches.ts), who has heard what (audience.ts), what goes with a message (messageAttachments.ts), and its stored form.
import { Emitter } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { Attachment } from '../../contract/chat/attachments.ts';
import type { AssistantItem, ChatItem, ChatPart, ToolCallPart } from '../../contract/chat/chatState.ts';
import type { ToolChoice } from '../../contract/chat/contextBudget.ts';
import type { QueuedMessage } from '../../contract/chat/messageActions.ts';
import { heardBy } from './audience.ts';
import { allItems, markVersions, putAside, showVersion, type ConversationLine, type Fork } from './branches.ts';
import { heardAgain, readSavedConversation, type SavedConversation } from './conversationFile.ts';
import { type AttachedItem, beginTurn, type SettledAttachment, settleTurn, TurnAttachments } from './messageAttachments.ts';
import type { Turn } from './history.ts';
import type { ModelMessage } from '../models/modelProvider.ts';
import { systemClock, type Clock } from '../../base/clock.ts';

/** What changed, as the view needs it: one item, text added to the end of a part, all items, or the queue. */
export type ConversationChange =
  | { readonly kind: 'item'; readonly item: ChatItem }
  /** All items changed, because another version of a message is shown. */
  | { readonly kind: 'items' }
  | { readonly kind: 'queue' }
  | { readonly kind: 'text'; readonly itemId: string; readonly partId: string; readonly text: string };

type PersonContent = Extract<ModelMessage, { role: 'user' }>['content'];

export interface ConversationOptions {
  readonly id?: string;
  readonly title?: string;
  readonly messagesLeftOut?: number;
  readonly clock?: Clock;
  /** The least time, in ms, between two batches of streamed text. */
  readonly coalesceMs?: number;
}

/**
 * The items of one conversation, which the view shows, and the turns, which the model is sent. Items are replaced, never changed in
 * place. Whoever has a snapshot and applies every change since then has exactly `items`: text that waits to be sent is fired before a
 * snapshot is given out, and dropped when its whole item is fired.
 */
export class Conversation implements Disposable {
  readonly id: string;
  /** What servers have said in it. It is not stored separately, but read again from the items. */
  readonly heard = new HeardTexts();
  readonly attachments = new TurnAttachments();
  readonly #clock: Clock;
  readonly #coalesceMs: number;
  readonly #changes = new Emitter<ConversationChange>();
  readonly #touched = new Emitter<void>();
  #title: string;
  /** How many of its first messages were left out to save room. */
  readonly messagesLeftOut: number;
  #toolChoice: ToolChoice | undefined;
  #items: readonly ChatItem[] = [];
  #turns: readonly Turn[] = [];
  #sides: readonly Fork[] = [];
  #queue: readonly QueuedMessage[] = [];
  readonly #waitingText = new Map<string, { readonly itemId: string; readonly text: string }>();
  readonly #waitingItems = new Set<string>();
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(options: ConversationOptions = {}) {
    this.id = options.id ?? crypto.randomUUID();
    this.#title = options.title ?? '';
    this.messagesLeftOut = options.messagesLeftOut ?? 0;
    this.#clock = options.clock ?? systemClock;
    this.#coalesceMs = options.coalesceMs ?? 30;
  }

  static fromJSON(value: unknown, options: Omit<ConversationOptions, 'id'> = {}): Conversation {
    return Conversation.fromSaved(readSavedConversation(value), options);
  }

  /** Makes a conversation of stored data that was checked already. */
  static fromSaved(saved: SavedConversation, options: Omit<ConversationOptions, 'id'> = {}): Conversation {
    const conversation = new Conversation({
      ...options,
      id: saved.id,
      title: saved.title ?? '',
      messagesLeftOut: saved.messagesLeftOut ?? 0,
    });
    conversation.#toolChoice = saved.toolChoice;
    conversation.#items = saved.items;
    conversation.#turns = saved.turns;
    conversation.#sides = saved.sides;
    conversation.#queue = saved.queue;
    // The shown items come last, because the first are forgotten when there are too many.
    heardAgain([...allItems({ items: [], sides: saved.sides }), ...saved.items]).forEach((result) => conversation.heard.add(result));
    return conversation;
  }

  toJSON(): SavedConversation {
    return {
      version: 1,
      id: this.id,
      ...(this.#title === '' ? {} : { title: this.#title }),
      ...(this.messagesLeftOut === 0 ? {} : { messagesLeftOut: this.messagesLeftOut }),
      ...(this.#toolChoice === undefined ? {} : { toolChoice: this.#toolChoice }),
      items: this.#items,
      turns: this.#turns,
      sides: this.#sides,
      queue: this.#queue,
    };
  }

  readonly onDidChange = this.#changes.event;
  /** Fired whenever `toJSON` would give something else, also when the view sees no difference. */
  readonly onDidTouch = this.#touched.event;

  /** The title that the person gave it, or an empty text. */
  get title(): string {
    return this.#title;
  }

  rename(title: string): void {
    this.#title = title;
    this.#touched.fire();
  }

  /** Which tools go with its requests; undefined before anything was chosen or sent in it. */
  get toolChoice(): ToolChoice | undefined {
    return this.#toolChoice;
  }

  chooseTools(choice: ToolChoice): void {
    this.#toolChoice = choice;
    this.#touched.fire();
  }

  get items(): readonly ChatItem[] {
    return this.#items;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  get lastTurn(): Turn | undefined {
    return this.#turns.at(-1);
  }

  /** The messages that are sent next, in order. While no answer runs, they wait for the person. */
  get queue(): readonly QueuedMessage[] {
    return this.#queue;
  }

  set queue(queue: readonly QueuedMessage[]) {
    this.#queue = queue;
    this.#changes.fire({ kind: 'queue' });
    this.#touched.fire();
  }

  /** The items for a new view. Everything that waits is fired first, so that no view gets it twice. */
  snapshot(): readonly ChatItem[] {
    this.flush();
    return this.#items;
  }

  /** Adds a message of the person and the empty answer to it. */
  begin(text: string, createId: () => string, attached: readonly AttachedItem[] = []): Turn {
    const { user, assistant, turn } = beginTurn(text, createId, attached);
    this.attachments.put(assistant.id, attached);
    this.#turns = [...this.#turns, turn];
    this.#put(user);
    this.#put(assistant);
    return turn;
  }

  /** The attachments that still have to be read for this answer. */
  attachedTo(assistantItemId: string): readonly AttachedItem[] {
    return this.attachments.waitingFor(assistantItemId);
  }

  /** Puts the attachments that were read into the turn, in the order of `attachedTo`. */
  settleAttached(assistantItemId: string, settled: readonly SettledAttachment[]): void {
    this.attachments.settle(assistantItemId);
    const turn = this.#turns.find((each) => each.assistantItemId === assistantItemId);
    const user = this.#items.find((item) => item.id === turn?.userItemId);
    if (turn !== undefined && user?.kind === 'user') {
      const after = settleTurn(turn, user, settled);
      this.updateTurn(assistantItemId, () => after.turn);
      this.#put(after.user);
    }
  }

  /** Marks the chip of an attachment that has changed since it was sent. */
  markChanged(attachmentId: string): void {
    const isMeant = ({ id, changed }: Attachment): boolean => id === attachmentId && changed === undefined;
    const item = this.#items.findLast((each) => each.kind === 'user' && each.attachments?.some(isMeant) === true);
    if (item?.kind === 'user') {
      this.#put({ ...item, attachments: item.attachments?.map((chip) => (isMeant(chip) ? { ...chip, changed: 'captured' } : chip)) });
    }
  }

  /** Begins another version of a message, with an empty answer. The old version and everything after it is put aside. */
  beginInstead(turn: Turn, text: string, createId: () => string): Turn {
    const id = createId();
    const item = this.#items.find((each) => each.id === turn.userItemId);
    const first = turn.messages[0];
    if (item?.kind !== 'user' || first?.role !== 'user') {
      throw new Error(`No message with the id ${turn.userItemId}.`);
    }
    const assistant: AssistantItem = { kind: 'assistant', id: createId(), state: 'streaming', parts: [] };
    this.attachments.share(turn.assistantItemId, assistant.id);
    const line = putAside(this.#line, item.id, id);
    const next: Turn = {
      ...newTurn(id, assistant.id, { role: 'user', content: withText(first.content, item.text, text) }),
      audience: turn.audience,
    };
    const items = [...line.items, { ...item, id, text }, assistant];
    this.#show(markVersions({ ...line, items, turns: [...line.turns, next] }));
    return next;
  }

  /** Shows another version of a message. False when there is no such version, or it is shown already. */
  showVersion(itemId: string, index: number): boolean {
    const line = this.#line;
    const shown = showVersion(line, itemId, index);
    if (shown === line) {
      return false;
    }
    this.#show(shown);
    return true;
  }

  assistant(id: string): AssistantItem {
    const item = this.#items.find((each) => each.id === id);
    if (item?.kind !== 'assistant') {
      throw new Error(`No answer with the id ${id}.`);
    }
    return item;
  }

  /** The message that this answers, with all its attachments. */
  saidBefore(assistantItemId: string): { readonly text: string; readonly attached: readonly AttachedItem[] } | undefined {
    const turn = this.#turns.find((each) => each.assistantItemId === assistantItemId);
    const item = this.#items.find((each) => each.id === turn?.userItemId);
    return item?.kind === 'user'
      ? { text: item.text, attached: this.attachments.again(assistantItemId, item.attachments ?? []) }
      : undefined;
  }

  updateAssistant(id: string, update: (item: AssistantItem) => AssistantItem): void {
    this.#put(update(this.assistant(id)));
  }

  updateTurn(assistantItemId: string, update: (turn: Turn) => Turn): void {
    this.#turns = this.#turns.map((turn) => (turn.assistantItemId === assistantItemId ? update(turn) : turn));
    this.#touched.fire();
  }

  /** Marks all turns as had by this destination, but for those that are not sent any more. */
  tell(destination: string): void {
    this.#turns = this.#turns.map((turn) => (turn.isWithheld ? turn : heardBy(turn, destination)));
    this.#touched.fire();
  }

  addPart(itemId: string, part: ChatPart): void {
    this.updateAssistant(itemId, (item) => ({ ...item, parts: [...item.parts, part] }));
  }

  removePart(itemId: string, partId: string): void {
    this.updateAssistant(itemId, (item) => ({ ...item, parts: item.parts.filter((part) => part.id !== partId) }));
  }

  /** Changes the card of a tool call. With `soon` the change is fired with the next batch, for what changes often, such as progress. */
  updateToolCall(itemId: string, partId: string, update: (part: ToolCallPart) => ToolCallPart, when: 'now' | 'soon' = 'now'): void {
    const item = this.assistant(itemId);
    const parts = item.parts.map((part) => (part.id === partId && part.kind === 'toolCall' ? update(part) : part));
    this.#put({ ...item, parts }, when);
  }

  appendText(itemId: string, partId: string, text: string): void {
    const item = this.assistant(itemId);
    const parts = item.parts.map((part) => (part.id === partId && 'text' in part ? { ...part, text: part.text + text } : part));
    this.#replace({ ...item, parts });
    this.#waitingText.set(partId, { itemId, text: (this.#waitingText.get(partId)?.text ?? '') + text });
    this.#flushSoon();
  }

  /** Fires all changes that wait. */
  flush(): void {
    const items = [...this.#waitingItems];
    this.#waitingItems.clear();
    items.forEach((id) => this.#announce(id));
    const texts = [...this.#waitingText];
    this.#waitingText.clear();
    texts.forEach(([partId, { itemId, text }]) => this.#changes.fire({ kind: 'text', itemId, partId, text }));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.flush();
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#changes.dispose();
    this.#touched.dispose();
  }

  get #line(): ConversationLine {
    return { items: this.#items, turns: this.#turns, sides: this.#sides };
  }

  /** Shows other items. Changes that wait were meant for items that may be gone, so they are dropped and all items are fired anew. */
  #show({ items, turns, sides }: ConversationLine): void {
    this.#waitingText.clear();
    this.#waitingItems.clear();
    this.#items = items;
    this.#turns = turns;
    this.#sides = sides;
    this.#changes.fire({ kind: 'items' });
    this.#touched.fire();
  }

  #put(item: ChatItem, when: 'now' | 'soon' = 'now'): void {
    this.#replace(item);
    if (when === 'now') {
      this.#announce(item.id);
    } else {
      this.#waitingItems.add(item.id);
      this.#flushSoon();
    }
  }

  #replace(item: ChatItem): void {
    const isKnown = this.#items.some((each) => each.id === item.id);
    this.#items = isKnown ? this.#items.map((each) => (each.id === item.id ? item : each)) : [...this.#items, item];
    this.#touched.fire();
  }

  #announce(id: string): void {
    const item = this.#items.find((each) => each.id === id);
    if (item === undefined) {
      return;
    }
    this.#waitingItems.delete(id);
    for (const [partId, { itemId }] of this.#waitingText) {
      if (itemId === id) {
        this.#waitingText.delete(partId);
      }
    }
    this.#changes.fire({ kind: 'item', item });
  }

  /** Fires the first of several changes at once, and gathers the rest while the timer runs. */
  #flushSoon(): void {
    if (this.#timer !== undefined || this.#isDisposed) {
      return;
    }
    this.flush();
    this.#rest();
  }

  #rest(): void {
    this.#timer = this.#clock.schedule(this.#coalesceMs, () => {
      this.#timer = undefined;
      if (this.#waitingText.size > 0 || this.#waitingItems.size > 0) {
        this.flush();
        this.#rest();
      }
    });
  }
}

function newTurn(userItemId: string, assistantItemId: string, message: Turn['messages'][number]): Turn {
  return { userItemId, assistantItemId, messages: [message], safe: { messages: 1, parts: 0 }, isWithheld: false, audience: [] };
}

/** Replaces the person's words in a message; its attachments stay. */
function withText(content: PersonContent, before: string, text: string): PersonContent {
  const words = content.findLast((block) => block.type === 'text' && block.text === before);
  return words === undefined
    ? [...content, { type: 'text', text }]
    : content.map((block) => (block === words ? { type: 'text', text } : block));
}
