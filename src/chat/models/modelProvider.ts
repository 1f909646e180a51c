import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import type { AttachmentKind } from '../../contract/chat/attachments.ts';
import type { KeptResult } from '../../contract/chat/contextBudget.ts';
import type { ContentOffers, ContentWish } from './contentOffers.ts';

/** What the agent loop needs of a language model, whoever serves it. */
export interface ModelProvider {
  readonly kind: 'anthropic' | 'vscode' | 'offline';
  /** False for the offline guide: it is labelled as not an AI. */
  readonly isAi: boolean;
  /** Where what is said goes, as people know it; undefined when it stays on this machine. Throws an AppError when that cannot be known. */
  destination(model?: string): string | undefined;
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
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
  /** How it can be told to think before it answers; left out where it cannot, or where that is not known. */
  readonly thinking?: 'adaptive' | 'budgeted';
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxTokens: number;
  /** The answer ends before any of these. */
  readonly stopSequences?: readonly string[] | undefined;
  /** The model decides by itself when it is left out. */
  readonly toolChoice?: 'auto' | 'required' | 'none' | undefined;
  /** The only place it may go to: settings can change while an answer is written. */
  readonly destination?: string | undefined;
  /** Think before answering, where the model can. */
  readonly thinking?: boolean | undefined;
  /** The person does not want to wait any longer for a provider that asked to. */
  readonly retryNow?: Event<void> | undefined;
  /** What else servers have, for providers that talk about it to people (the offline guide). */
  readonly offers?: ((signal: AbortSignal) => Promise<ContentOffers>) | undefined;
  /** For what they say about it. */
  readonly withoutSecrets?: ((text: string) => Promise<string>) | undefined;
}

export interface ModelTool {
  /** Unique over all servers, within the provider's alphabet and length. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** For providers that talk about tools to people (the offline guide). */
  readonly server: string;
  readonly serverId?: string | undefined;
  readonly tool: string;
  /** Of the chat itself: no server has it. */
  readonly isOwn?: true | undefined;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly (TextBlock | ImageBlock | DocumentBlock | ToolResultBlock | AttachedBlock)[] }
  | { readonly role: 'assistant'; readonly content: readonly (TextBlock | ToolUseBlock | OpaqueBlock)[] };

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}
/** `data` is base64. */
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
/** Something of one provider's that must go back to it untouched (a signed thinking block) and means nothing to others. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly provider: string;
  readonly model: string;
  readonly value: JsonObject;
}
/** A file that the model reads as a whole: a PDF, `data` as base64. */
export interface DocumentBlock {
  readonly type: 'document';
  readonly mimeType: 'application/pdf';
  readonly data: string;
  readonly name: string;
}
/** A server's resource or prompt that the person let in, or did not; or what they attached themselves, which is of no server. */
export interface AttachedBlock {
  readonly type: 'attached';
  readonly source: {
    readonly kind: ContentWish['kind'] | 'attachment';
    readonly server: string;
    readonly name: string;
    /** Of what the person attached. */
    readonly what?: AttachmentKind | undefined;
  };
  readonly outcome: 'sent' | 'failed' | 'denied' | 'deniedBefore' | 'cancelled';
  /** For the model, in order. What was sent stands between a first and a last block of ours that say whose it is. */
  readonly content: readonly (TextBlock | ImageBlock | DocumentBlock)[];
}
export type CalledTool = Pick<ModelTool, 'server' | 'tool'>;
export interface ToolResultBlock {
  readonly type: 'toolResult';
  readonly toolUseId: string;
  /** What was called, as people know it: its server may be gone by the time somebody talks about it. */
  readonly called?: CalledTool | undefined;
  readonly isError: boolean;
  /** How the call ended, for providers that talk about it to people (the offline guide). */
  readonly outcome: 'done' | 'failed' | 'denied' | 'deniedBefore' | 'cancelled';
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** The whole, where only its beginning and its end are in the content. */
  readonly kept?: KeptResult | undefined;
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  /** More of a thought; what has to be kept of it comes as `opaque` when it has ended. */
  | { readonly kind: 'thinking'; readonly text: string }
  /** `malformedInput` is what the model wrote when it was no JSON object; `input` is then empty and the tool must not run. */
  | { readonly kind: 'toolUse'; readonly id: string; readonly name: string; readonly input: JsonObject; readonly malformedInput?: string }
  /** Something of a server's is to become part of the conversation, if the person lets it. */
  | { readonly kind: 'content'; readonly wish: ContentWish }
  /** To be kept in the history of this answer, in order. */
  | { readonly kind: 'opaque'; readonly block: OpaqueBlock }
  /** Counts of this request so far: a later event replaces an earlier one. */
  | ({ readonly kind: 'usage' } & RequestUsage)
  /** The provider asked to wait (429, 529, 5xx) and goes on by itself. */
  | { readonly kind: 'waiting'; readonly reason: WaitReason; readonly retryInMs: number }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly explanation?: string };

/** `inputTokens` is all of it, also what was read from the cache or written to it. */
export interface RequestUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWrittenTokens?: number;
}

export type WaitReason = 'rateLimited' | 'overloaded' | 'serverError';

/** `maxTokens`: the answer's own limit; `contextFull`: the conversation no longer fits the model. */
export type StopReason = 'end' | 'stopSequence' | 'toolUse' | 'maxTokens' | 'contextFull' | 'refusal';
