// content/: what servers, the project and the person put into a conversation. The ports to the host are in this file; a resource, a
// prompt or an attachment is made ready (preparedContent.ts), asked about (contentQuestion.ts) and sent (contentRun.ts).
import type { JsonObject } from '../../base/json.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { CallApp } from '../../contract/chat/appMessages.ts';
import type { WaitingServer } from '../../contract/chat/contextBudget.ts';
import type { MadeEdit } from '../../contract/chat/answerParts.ts';
import type { EditReview } from '../../contract/chat/editReview.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { SecretPlace } from '../../secrets/secretMarks.ts';
import type { GivenContent } from '../conversation/messageAttachments.ts';
import type { ContentOffers, ContentWish } from '../models/contentOffers.ts';
import type { ModelTool } from '../models/modelProvider.ts';
import type { InstructionsOfServer, ModelSurroundings } from './systemPrompt.ts';

/** What the chat needs of the host: the tools of every running server, and a way to call one under consent. */
export interface ChatTools {
  /** Lists the tools of the running servers, and those that apps offer in the conversation, where one is named. */
  list(conversationId?: string): readonly ModelTool[];
  /** What running servers say about how to use their tools. */
  instructions?(): readonly InstructionsOfServer[];
  /** What else the model should know of, beside the tools. */
  surroundings?(): ModelSurroundings;
  /**
   * Called before the first request of a turn. Asks the person about servers that wait for permission to start, if the message needs
   * them; the tools of those allowed are listed afterwards. Every question is a card of the answer.
   */
  prepare(preparation: TurnPreparation): Promise<void>;
  /** Calls a tool. It does not reject for what a server or a person does: every ending is an outcome. */
  call(call: ChatToolCall): Promise<ChatToolOutcome>;
  /** The servers that wait for permission to start. */
  waiting?(): readonly Pick<WaitingServer, 'serverId' | 'server'>[];
}

export interface TurnPreparation {
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** The message of the person. It needs a server that it names, as in “@notes”. */
  readonly message: string;
  /** Any server that waits may have what the message asks for. */
  readonly needsAny: boolean;
  /** The ids of servers that the person chose for this message without a word in it. */
  readonly named?: readonly string[];
  /** The ids of servers of which a tool is pinned. */
  readonly pinned?: readonly string[];
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
  /** Called with a change that the tool proposed, while it waits for the person and whenever that changes; at last with nothing. */
  readonly onReview?: (review: EditReview | undefined) => void;
  readonly onProgress: (progress: { value: number; total?: number; message?: string }) => void;
}

export type ChatToolOutcome =
  | {
      readonly kind: 'result';
      readonly isError: boolean;
      readonly items: readonly ToolResultItem[];
      /** The answer as data, where the tool is the editor's own and its shape is known. */
      readonly ownAnswer?: JsonObject | undefined;
      /** The page that the server gave to the tool, and where the result is kept for it. */
      readonly app?: Pick<CallApp, 'uri' | 'key'> | undefined;
    }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      /** Why it failed, for the model, in English. */
      readonly message: string;
      /** Why it failed, for the person, in their language. */
      readonly sentence: string;
      /** What the server last wrote to its error output, when it ended during the call. Secrets are removed. */
      readonly lastWords?: readonly string[] | undefined;
    };

export type ContentReading =
  | { readonly kind: 'given'; readonly content: readonly GivenContent[] }
  | ({ readonly kind: 'failed' } & ExplainedFailure);

export interface ExplainedFailure {
  /** Why it failed, for the person alone, in their language. */
  readonly sentence: string;
}

/** Who decided that something is read, for the audit log; `nobody` where there was nothing to decide. */
export type ReadDecider = 'person' | 'remembered' | 'nobody';

export type DecidedWish = ContentWish & { readonly decidedBy: ReadDecider };

/** What the chat needs of the host to read resources and prompts of servers under consent. */
export interface ChatContent {
  readonly gate: Pick<ConsentGate, 'check' | 'verdict'>;
  offers(signal: AbortSignal): Promise<ContentOffers>;
  /**
   * Reads a resource or prompt from its server; what the server asks meanwhile goes to `ask`. Rejects with an AbortError when `signal`
   * fires.
   */
  read(wish: DecidedWish, signal: AbortSignal, ask: Ask): Promise<ContentReading>;
  /** Whether the server is the editor's own: what it is asked for, nobody else hears. */
  isEditor(serverId: string): boolean;
  /** Identifies the server as it was approved, so that a permission does not hold for another server of the same id. */
  identityOf(serverId: string): string;
  /** Finds the secrets in a text, sorted and without overlaps. It never blocks for long, however long the text is. */
  readonly secretsIn: (text: string) => Promise<readonly SecretPlace[]>;
  /** Explains an unexpected failure, such as an audit record that cannot be written. */
  explain(error: unknown): ExplainedFailure;
}
