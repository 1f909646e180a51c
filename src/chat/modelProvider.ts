import type { JsonObject } from '../base/json.ts';
import type { AttachmentKind } from '../contract/chat/attachments.ts';
import type { AttachmentWish, ContentOffers, ContentWish } from './content/chatContent.ts';

/** What the agent loop needs of a language model, whoever serves it. */
export interface ModelProvider {
  readonly kind: 'anthropic' | 'vscode' | 'offline';
  /** False for the offline guide: it is labelled as not an AI. */
  readonly isAi: boolean;
  /** Where what is said goes, as people know it; undefined when it stays on this machine. Throws an AppError when that cannot be known. */
  destination(): string | undefined;
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Ends with exactly one `stop` event, or throws an `AppError` (or an AbortError when `signal` fired). */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelInfo {
  readonly id: string;
  readonly label: string;
  readonly contextTokens?: number;
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
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly (TextBlock | ImageBlock | ToolResultBlock | AttachedBlock)[] }
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
export interface ImageBlock {
  readonly type: 'image';
  readonly mimeType: string;
  readonly data: string;
}
/** A server's resource or prompt that the person let in, or did not; or what they attached themselves, which is of no server. */
export interface AttachedBlock {
  readonly type: 'attached';
  readonly source: {
    readonly kind: (ContentWish | AttachmentWish)['kind'];
    readonly server: string;
    readonly name: string;
    /** Of what the person attached. */
    readonly what?: AttachmentKind | undefined;
  };
  readonly outcome: 'sent' | 'failed' | 'denied' | 'deniedBefore' | 'cancelled';
  /** For the model, in order. What was sent stands between a first and a last block of ours that say whose it is. */
  readonly content: readonly (TextBlock | ImageBlock)[];
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
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  /** `malformedInput` is what the model wrote when it was no JSON object; `input` is then empty and the tool must not run. */
  | { readonly kind: 'toolUse'; readonly id: string; readonly name: string; readonly input: JsonObject; readonly malformedInput?: string }
  /** Something of a server's is to become part of the conversation, if the person lets it. */
  | { readonly kind: 'content'; readonly wish: ContentWish }
  /** To be kept in the history of this answer, in order. */
  | { readonly kind: 'opaque'; readonly block: OpaqueBlock }
  /** Counts of this request so far: a later event replaces an earlier one. */
  | { readonly kind: 'usage'; readonly inputTokens: number; readonly outputTokens: number }
  /** The provider asked to wait (429, 529); the provider goes on by itself. */
  | { readonly kind: 'waiting'; readonly reason: 'rateLimited' | 'overloaded'; readonly retryInMs: number }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly explanation?: string };

/** `maxTokens`: the answer's own limit; `contextFull`: the conversation no longer fits the model. */
export type StopReason = 'end' | 'stopSequence' | 'toolUse' | 'maxTokens' | 'contextFull' | 'refusal';
