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
import type { InstructionsOfServer, ModelSurroundings } from './systemPrompt.ts';

/** What the chat needs of the host: the tools of every running server, and a way to call one under consent. */
export interface ChatTools {
  list(): readonly ModelTool[];
  /** What running servers say about how to use their tools. */
  instructions?(): readonly InstructionsOfServer[];
  /** What else the model should know of, beside the tools. */
  surroundings?(): ModelSurroundings;
  /**
   * Called before the first request of a turn. Asks the person, once for each, about servers that wait for permission to start; the
   * tools of those allowed are listed afterwards. Every question is a card of the answer.
   */
  prepare(preparation: { readonly ask: Ask; readonly signal: AbortSignal }): Promise<void>;
  /** Calls a tool. It does not reject for what a server or a person does: every ending is an outcome. */
  call(call: ChatToolCall): Promise<ChatToolOutcome>;
}

export interface ChatToolCall {
  /** The name of the tool that the model used. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** Who gets the result. */
  readonly destination: ContentDestination;
  readonly signal: AbortSignal;
  /** What tools have said in this conversation so far. */
  readonly heard: HeardTexts;
  /** Shows the permission question as a card of this call and resolves to the person's answer; rejects when withdrawn. */
  readonly ask: Ask;
  /** Called when permission is there and the call begins, with the arguments as the person left them. */
  readonly onStart: (args: JsonObject) => void;
  /** Called with what the tool changed in files, perhaps after the call has ended. */
  readonly onEdits?: (edits: readonly MadeEdit[]) => void;
  readonly onProgress: (progress: { value: number; total?: number; message?: string }) => void;
}

export type ChatToolOutcome =
  | { readonly kind: 'result'; readonly isError: boolean; readonly items: readonly ToolResultItem[] }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      /** Why it failed, for the model, in English. */
      readonly message: string;
      /** Why it failed, for the person, in their language. */
      readonly sentence: string;
    };

export type ContentReading =
  | { readonly kind: 'given'; readonly content: readonly GivenContent[] }
  | ({ readonly kind: 'failed' } & ExplainedFailure);

export interface ExplainedFailure {
  /** Why it failed, for the person alone, in their language. */
  readonly sentence: string;
}

/** What the chat needs of the host to read resources and prompts of servers under consent. */
export interface ChatContent {
  readonly gate: Pick<ConsentGate, 'check' | 'verdict'>;
  offers(signal: AbortSignal): Promise<ContentOffers>;
  /**
   * Reads a resource or prompt from its server; what the server asks meanwhile goes to `ask`. Rejects with an AbortError when `signal`
   * fires.
   */
  read(wish: ContentWish, signal: AbortSignal, ask: Ask): Promise<ContentReading>;
  /** Identifies the server as it was approved, so that a permission does not hold for another server of the same id. */
  identityOf(serverId: string): string;
  /** Finds the secrets in a text, sorted and without overlaps. It never blocks for long, however long the text is. */
  readonly secretsIn: (text: string) => Promise<readonly SecretPlace[]>;
  /** Explains an unexpected failure, such as an audit record that cannot be written. */
  explain(error: unknown): ExplainedFailure;
}
