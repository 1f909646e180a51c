import { Sequencer } from '../../base/sequencer.ts';
import { untilAborted } from '../../base/abort.ts';
import { isAbort } from '../../base/errors.ts';
import { secretMark } from '../../secrets/secretMarks.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { OpenQuestions } from '../../consent/openQuestions.ts';
import type { ContentPart } from '../../contract/chat/chatState.ts';
import type { PersonAnswer, Question } from '../../contract/questions/questions.ts';
import type { ContentDestination, ContentSource } from '../../contract/questions/sentContent.ts';
import type { ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { settleContent } from '../conversation/conversationFile.ts';
import type { AttachedBlock } from '../models/modelProvider.ts';
import { without } from '../../base/without.ts';
import { prepareContent, type PreparedContent, shortText, withoutOwnWords } from './preparedContent.ts';
import { sentBlock, unsentBlock, type NotSent } from '../conversation/attachedBlock.ts';
import type { ChatContent, ContentReading, ReadDecider } from './hostPorts.ts';
import { type AttachmentWish, type SaidIn, emptySource } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import { attachmentRequest, contentChoices, contentDifferences, contentQuestion, contentRequest, shownSource } from './contentQuestion.ts';

export interface ContentRunContext {
  readonly conversation: Conversation;
  readonly itemId: string;
  readonly content: ChatContent;
  readonly questions: OpenQuestions;
  readonly sentences: ChatSentences;
  readonly signal: AbortSignal;
  /** Fires when the answer is no longer shown or is written anew. */
  readonly forgotten: AbortSignal;
  readonly createId: () => string;
  readonly to: ContentDestination;
  /** Who decided that this is read. */
  readonly decidedBy: ReadDecider;
}

type Outcome =
  | { readonly kind: 'sent'; readonly prepared: PreparedContent; readonly kept: readonly number[] }
  | Extract<ContentReading, { kind: 'failed' }>
  | { readonly kind: 'denied' | 'deniedBefore' | 'cancelled' };

/**
 * Brings one resource, prompt or attachment into the conversation, and shows it as a part of the answer. It is read first, because the
 * person is asked about its content; what they refused before is not even read. An attachment of the person has its chip in their
 * message, and a part in the answer only when there is something to ask.
 */
export class ContentRun {
  readonly #wish: ContentWish | AttachmentWish;
  readonly #context: ContentRunContext;
  readonly #partId: string;
  readonly #server: string;
  #source: ContentSource;
  #isOver = false;
  readonly #asking = new Sequencer();
  #openQuestion: Question | undefined;
  #isShown = false;
  #sentBytes = 0;

  constructor(wish: ContentWish | AttachmentWish, context: ContentRunContext) {
    this.#wish = wish;
    this.#context = context;
    this.#partId = context.createId();
    this.#server = wish.kind === 'attachment' ? '' : revealInvisible(wish.server);
    this.#source = emptySource(wish);
    if (wish.kind !== 'attachment') {
      this.#show();
    }
  }

  /** The size of what was sent. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** Reads, asks and sends. Never rejects: whatever happens becomes a block for the model and a state of the part. */
  async run(): Promise<AttachedBlock> {
    const outcome = await this.#settle();
    if (outcome.kind !== 'failed') {
      return this.#finish(outcome);
    }
    // The reason may be in the server's own words, which may hold secrets.
    const sentence = await shortText(outcome.sentence, this.#context.content.secretsIn).catch(() => '');
    return this.#finish({ ...outcome, sentence });
  }

  /** Ends this run without reading anything, because the answer ended before. */
  skip(): void {
    this.#finish({ kind: 'cancelled' });
  }

  async #settle(): Promise<Outcome> {
    const { signal, content } = this.#context;
    try {
      return await untilAborted(this.#pass(), signal);
    } catch (error) {
      return signal.aborted || isAbort(error) ? { kind: 'cancelled' } : { kind: 'failed', ...content.explain(error) };
    }
  }

  #show(): void {
    if (!this.#isShown) {
      this.#isShown = true;
      this.#context.conversation.addPart(this.#context.itemId, {
        kind: 'content',
        id: this.#partId,
        server: this.#server,
        source: this.#source,
        state: 'reading',
        items: [],
        bytes: 0,
        removedSecrets: 0,
        keptSecrets: [],
      });
    }
  }

  async #pass(): Promise<Outcome> {
    const wish = this.#wish;
    return wish.kind === 'attachment' ? this.#passOwn(wish) : this.#passOfServer(wish);
  }

  async #passOwn(wish: AttachmentWish): Promise<Outcome> {
    const { content, to, signal } = this.#context;
    const reading = await wish.read(signal);
    const source = await shownSource(wish, content.secretsIn);
    this.#source = source.kind === 'attachment' ? { ...source, isWithheld: reading.isWithheld } : source;
    const prepared = await prepareContent(reading.content, content.secretsIn, { hasDocuments: true });
    if (!reading.isWithheld && prepared.secrets.length === 0) {
      return { kind: 'sent', prepared, kept: [] };
    }
    this.#show();
    const decision = await this.#check(attachmentRequest(wish, to), prepared);
    return decision.kind === 'denied'
      ? { kind: 'denied' }
      : { kind: 'sent', prepared, kept: decision.by === 'person' ? (decision.answer.keptSecrets ?? []) : [] };
  }

  async #passOfServer(wish: ContentWish): Promise<Outcome> {
    const { content, to, signal, sentences, decidedBy } = this.#context;
    this.#source = await shownSource(wish, content.secretsIn);
    this.#update((part) => ({ ...part, source: this.#source }));
    const request = contentRequest(wish, content.identityOf(wish.serverId), to);
    if (content.gate.verdict(request).kind === 'deny') {
      await this.#check(request, await prepareContent([], content.secretsIn));
      return { kind: 'deniedBefore' };
    }
    const reading = await content.read({ ...wish, decidedBy }, signal, (question, askSignal) => this.#askNext(question, askSignal));
    if (reading.kind === 'failed') {
      return reading;
    }
    if (reading.content.length === 0) {
      return { kind: 'failed', sentence: sentences('chat.contentEmpty') };
    }
    const prepared = await prepareContent(reading.content, content.secretsIn);
    // The sentences of our own prompts are ours: only what of the workspace goes with them is asked about.
    const asked = wish.kind === 'prompt' && content.isEditor(wish.serverId) ? withoutOwnWords(prepared) : prepared;
    if (asked === undefined) {
      return { kind: 'sent', prepared, kept: [] };
    }
    const decision = await this.#check(request, asked);
    if (decision.kind === 'denied') {
      return { kind: decision.by === 'ledger' ? 'deniedBefore' : 'denied' };
    }
    return { kind: 'sent', prepared, kept: decision.by === 'person' ? (decision.answer.keptSecrets ?? []) : [] };
  }

  #check(request: ReturnType<typeof contentRequest>, prepared: PreparedContent): ReturnType<ChatContent['gate']['check']> {
    const { content, to, signal } = this.#context;
    return content.gate.check({
      request,
      detail: contentQuestion(this.#server, this.#source, to, prepared),
      differencesFrom: (previous) => contentDifferences(previous, request.material),
      choices: contentChoices(this.#wish, this.#source),
      ask: (question, askSignal) => this.#askNext(question, askSignal),
      signal,
    });
  }

  /** Asks a question in the part. It shows one at a time, and the server may ask something while the content is read. */
  #askNext(question: Question, askSignal: AbortSignal): Promise<PersonAnswer> {
    return untilAborted(
      this.#asking.run(() => this.#ask(question, askSignal)),
      askSignal,
    );
  }

  #ask(question: Question, askSignal: AbortSignal): Promise<PersonAnswer> {
    const { questions, signal, forgotten, conversation, itemId } = this.#context;
    return questions.ask(question, AbortSignal.any([askSignal, signal, forgotten]), {
      show: (open) => {
        this.#openQuestion = open;
        if (this.#isOver) {
          this.#showBelow(open);
        } else {
          this.#update((part) => ({ ...part, state: 'waiting', question: open }));
        }
      },
      hide: () => {
        this.#openQuestion = undefined;
        if (this.#isOver) {
          conversation.removePart(itemId, question.askId);
        } else {
          this.#update((part) => ({ ...without(part, 'question'), state: 'reading' }));
        }
      },
    });
  }

  /** Shows a question in the answer, once the part itself is finished. */
  #showBelow(question: Question): void {
    this.#context.conversation.addPart(this.#context.itemId, { kind: 'question', id: question.askId, question });
  }

  #finish(outcome: Outcome): AttachedBlock {
    if (outcome.kind === 'failed') {
      this.#show();
    }
    const ending = this.#ending(outcome);
    this.#sentBytes = ending.bytes ?? 0;
    this.#update((part) => ({ ...settleContent(part), ...ending }));
    this.#isOver = true;
    if (this.#openQuestion !== undefined) {
      this.#showBelow(this.#openQuestion);
    }
    if (outcome.kind !== 'sent') {
      return unsentBlock(this.#server, this.#source, outcome.kind satisfies NotSent);
    }
    const block = sentBlock(this.#server, this.#source, outcome.prepared, outcome.kept);
    this.#hear(block);
    return block;
  }

  /**
   * Remembers the text that was sent, because the model may pass it on to another server. The first and the last block are our own
   * words.
   */
  #hear({ content }: AttachedBlock): void {
    const said = saidIn(this.#wish, this.#source.name);
    if (said !== undefined) {
      const texts = content.slice(1, -1).flatMap((each) => (each.type === 'text' ? [each.text] : []));
      this.#context.conversation.heard.add({ ...said, result: texts });
    }
  }

  #ending(outcome: Outcome): Partial<ContentPart> & Pick<ContentPart, 'state'> {
    switch (outcome.kind) {
      case 'sent': {
        const { items, bytes, secrets } = outcome.prepared;
        const keptSecrets = [...new Set(outcome.kept)].filter((secret) => secret <= secrets.length);
        const sentBytes = keptSecrets.reduce((sum, secret) => sum + addedBytes(secrets[secret - 1]?.value), bytes);
        return { state: 'sent', items: [...items], bytes: sentBytes, removedSecrets: secrets.length - keptSecrets.length, keptSecrets };
      }
      case 'failed':
        return { state: 'failed', error: outcome.sentence || this.#context.sentences('chat.contentFailed') };
      case 'deniedBefore':
        return { state: 'denied', error: this.#context.sentences('chat.toolDeniedBefore') };
      case 'denied':
      case 'cancelled':
        return { state: outcome.kind };
    }
  }

  #update(update: (part: ContentPart) => ContentPart): void {
    const { conversation, itemId } = this.#context;
    conversation.updateAssistant(itemId, (item) => ({
      ...item,
      parts: item.parts.map((part) => (part.id === this.#partId && part.kind === 'content' ? update(part) : part)),
    }));
  }
}

/** The call that the content came from; undefined for content that no server gave. */
function saidIn(wish: ContentWish | AttachmentWish, name: string): SaidIn | undefined {
  if (wish.kind === 'attachment') {
    return wish.saidIn;
  }
  const { serverId, server } = wish;
  return { serverId, server, tool: name, arguments: wish.kind === 'prompt' ? wish.arguments : { uri: wish.uri } };
}

/** How many bytes a secret is longer than the mark in its place. */
function addedBytes(value = secretMark): number {
  return Buffer.byteLength(value) - Buffer.byteLength(secretMark);
}
