import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import type { AttachmentKind } from '../../contract/chat/attachments.ts';
import type { KeptResult } from '../../contract/chat/contextBudget.ts';
import type { ContentOffers, ContentWish } from './contentOffers.ts';

/** The port to a language model, whoever serves it. */
export interface ModelProvider {
  readonly kind: 'anthropic' | 'vscode' | 'offline';
  /** Whether the provider is an AI; the offline guide is labelled as not being one. */
  readonly isAi: boolean;
  /**
   * The address that requests go to, as people know it; undefined when they stay on this machine. Throws an AppError when it cannot be
   * known.
   */
  destination(model?: string): string | undefined;
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Whether any server that waits for permission may have what is asked for; otherwise only those matter that the message names. */
  needsAnyServer?(request: Pick<ModelRequest, 'messages' | 'tools'>): Promise<boolean>;
  /** How many tokens the provider would count for the whole request; not every provider can say. */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number>;
  /** Ends with exactly one `stop` event, or throws an `AppError` (or an AbortError when `signal` fired). */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** A provider and which of its models answers; '' stands for the provider's first model. */
export interface ProviderAndModel {
  readonly provider: ModelProvider;
  readonly model: string;
}

export interface ModelInfo {
  readonly id: string;
  readonly label: string;
  readonly contextTokens?: number;
  /** How the model is told to think before it answers; undefined when it cannot, or when that is not known. */
  readonly thinking?: 'adaptive' | 'budgeted';
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxTokens: number;
  /** Texts before which the answer ends. */
  readonly stopSequences?: readonly string[] | undefined;
  /** Whether the model has to call a tool; it decides by itself when this is undefined. */
  readonly toolChoice?: 'auto' | 'required' | 'none' | undefined;
  /** The only address that the request may go to: settings can change while an answer is written. */
  readonly destination?: string | undefined;
  /** Whether the model should think before it answers, if it can. */
  readonly thinking?: boolean | undefined;
  /** Fired when the person does not want to wait any longer for a provider that asked for a pause. */
  readonly retryNow?: Event<void> | undefined;
  /** Finds the resources and prompts of servers, for the offline guide, which tells people about them. */
  readonly offers?: ((signal: AbortSignal) => Promise<ContentOffers>) | undefined;
  /** Removes secrets from what the offline guide says about resources and prompts. */
  readonly withoutSecrets?: ((text: string) => Promise<string>) | undefined;
}

export interface ModelTool {
  /** The name for the provider: unique over all servers, with characters and a length that providers accept. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The name of the server, for the offline guide, which tells people about tools. */
  readonly server: string;
  readonly serverId?: string | undefined;
  readonly tool: string;
  /** Whether the tool is one of the chat itself, which no server has. */
  readonly isOwn?: true | undefined;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly (TextBlock | ImageBlock | DocumentBlock | ToolResultBlock | AttachedBlock)[] }
  | { readonly role: 'assistant'; readonly content: readonly (TextBlock | ToolUseBlock | OpaqueBlock)[] };

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}
/** An image; `data` is base64. */
export interface ImageBlock {
  readonly type: 'image';
  readonly mimeType: string;
  readonly data: string;
}
export interface ToolUseBlock {
  readonly type: 'toolUse';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}
/** A block that must go back to its provider unchanged, such as a signed thought, and means nothing to others. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly provider: string;
  readonly model: string;
  readonly value: JsonObject;
}
/** A PDF that the model reads as a whole; `data` is base64. */
export interface DocumentBlock {
  readonly type: 'document';
  readonly mimeType: 'application/pdf';
  readonly data: string;
  readonly name: string;
}
/** A resource or prompt of a server, or something that the person attached, and whether it was sent. */
export interface AttachedBlock {
  readonly type: 'attached';
  readonly source: {
    readonly kind: ContentWish['kind'] | 'attachment';
    readonly server: string;
    readonly name: string;
    /** The kind of the attachment, when the person attached it. */
    readonly what?: AttachmentKind | undefined;
  };
  readonly outcome: 'sent' | 'failed' | 'denied' | 'deniedBefore' | 'cancelled';
  /** What the model reads, in order. What was sent stands between two blocks of ours that say whose it is. */
  readonly content: readonly (TextBlock | ImageBlock | DocumentBlock)[];
}
export type CalledTool = Pick<ModelTool, 'server' | 'tool'>;
export interface ToolResultBlock {
  readonly type: 'toolResult';
  readonly toolUseId: string;
  /** The tool that was called, by the names that people know: its server may be gone when somebody reads this. */
  readonly called?: CalledTool | undefined;
  readonly isError: boolean;
  /** How the call ended, for the offline guide, which tells people about it. */
  readonly outcome: 'done' | 'failed' | 'denied' | 'deniedBefore' | 'cancelled';
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** Where the whole result is kept, when the content has only its beginning and its end. */
  readonly kept?: KeptResult | undefined;
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  /** More text of a thought; what has to be kept of it comes as `opaque` when it has ended. */
  | { readonly kind: 'thinking'; readonly text: string }
  /**
   * A tool call. `malformedInput` is what the model wrote when that was no JSON object; `input` is then empty and the tool must not
   * run.
   */
  | { readonly kind: 'toolUse'; readonly id: string; readonly name: string; readonly input: JsonObject; readonly malformedInput?: string }
  /** A resource or prompt is to become part of the conversation, if the person allows it. */
  | { readonly kind: 'content'; readonly wish: ContentWish }
  /** A block to keep in the history of this answer, in order. */
  | { readonly kind: 'opaque'; readonly block: OpaqueBlock }
  /** The token counts of this request so far; a later event replaces an earlier one. */
  | ({ readonly kind: 'usage' } & RequestUsage)
  /** The provider asked to wait (HTTP status 429, 529 or 5xx); the request is made again by itself. */
  | { readonly kind: 'waiting'; readonly reason: WaitReason; readonly retryInMs: number }
  | { readonly kind: 'stop'; readonly reason: AnswerStopReason; readonly explanation?: string };

/** The tokens of one request. `inputTokens` includes what was read from the cache or written to it. */
export interface RequestUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWrittenTokens?: number;
}

export type WaitReason = 'rateLimited' | 'overloaded' | 'serverError';

/** Why an answer ended. `maxTokens` is the answer's own limit; with `contextFull` the conversation no longer fits the model. */
export type AnswerStopReason = 'end' | 'stopSequence' | 'toolUse' | 'maxTokens' | 'contextFull' | 'refusal';
