// content/: what servers, the project and the person put into a conversation. The ports to the host are in this file; a resource, a
// prompt or an attachment is made ready (preparedContent.ts), asked about (contentQuestion.ts) and sent (contentRun.ts).
import type { JsonObject } from '../../base/json.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { MadeEdit } from '../../contract/chat/answerParts.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { SecretPlace } from '../../secrets/secretMarks.ts';
import type { GivenContent } from '../conversation/messageAttachments.ts';
import type { ContentOffers, ContentWish } from '../models/contentOffers.ts';
import type { ModelTool } from '../models/modelProvider.ts';
import type { ServerInstructions, Surroundings } from './systemPrompt.ts';

/** What the chat needs of the host: the tools of every running server, and a way to call one under consent. */
export interface ChatTools {
  list(): readonly ModelTool[];
  /** What running servers say about their own use. */
  instructions?(): readonly ServerInstructions[];
  /** What else the model should know of. */
  surroundings?(): Surroundings;
  /**
   * Called before the first request of an answer: servers that wait for permission are offered, once each, and those the
   * person allows are there afterwards. Every question is a card of the answer.
   */
  prepare(preparation: { readonly ask: Ask; readonly signal: AbortSignal }): Promise<void>;
  /** Never throws for what a server or a person does: every ending is an outcome. */
  call(call: ChatToolCall): Promise<ChatToolOutcome>;
}

export interface ChatToolCall {
  /** The name the model used. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** Who gets the result. */
  readonly destination: ContentDestination;
  readonly signal: AbortSignal;
  /** What tools have said in this conversation so far. */
  readonly heard: HeardTexts;
  /** Shows the permission question as a card of this call and resolves to the person's answer; rejects when withdrawn. */
  readonly ask: Ask;
  /** Permission is there and the call is on its way; arguments as the person left them. */
  readonly onStart: (args: JsonObject) => void;
  /** What it changed in files; may come after its end. */
  readonly onEdits?: (edits: readonly MadeEdit[]) => void;
  readonly onProgress: (progress: { value: number; total?: number; message?: string }) => void;
}

export type ChatToolOutcome =
  | { readonly kind: 'result'; readonly isError: boolean; readonly items: readonly ToolResultItem[] }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      /** For the model, in English. */
      readonly message: string;
      /** For the person, in their language. */
      readonly sentence: string;
    };

export type ContentReading =
  | { readonly kind: 'given'; readonly content: readonly GivenContent[] }
  | ({ readonly kind: 'failed' } & ExplainedFailure);

export interface ExplainedFailure {
  /** For the person alone, in their language. */
  readonly sentence: string;
}

/** What the chat needs of the host for it. */
export interface ChatContent {
  readonly gate: Pick<ConsentGate, 'check' | 'verdict'>;
  offers(signal: AbortSignal): Promise<ContentOffers>;
  /** What the server itself answers; what it asks meanwhile goes to `ask`. Rejects with an AbortError when `signal` fires. */
  read(wish: ContentWish, signal: AbortSignal, ask: Ask): Promise<ContentReading>;
  /** Tells the server that was approved from another of its name: a permission holds for this one only. */
  identityOf(serverId: string): string;
  /** Sorted and apart from each other. Does not block for long, however long the text is. */
  readonly secretsIn: (text: string) => Promise<readonly SecretPlace[]>;
  /** For a failure on the way, such as a record that cannot be written. */
  explain(error: unknown): ExplainedFailure;
}
