import type { JsonObject } from '../../base/json.ts';

// A server's request for an answer of the person's model ("sampling"), as the host hands it to the model that answers.

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}
/** An image; `data` is base64. */
export interface ImageContent {
  readonly type: 'image';
  readonly mimeType: string;
  readonly data: string;
}
export interface AudioContent {
  readonly type: 'audio';
  readonly mimeType: string;
  readonly data: string;
}
export interface ToolUseContent {
  readonly type: 'toolUse';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}
export interface ToolResultContent {
  readonly type: 'toolResult';
  readonly toolUseId: string;
  readonly isError: boolean;
  readonly content: readonly (TextContent | ImageContent | AudioContent)[];
}
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly SamplingContent[];
}

export interface SamplingTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface SamplingRequest {
  readonly model: string;
  /** The destination that the person agreed to: nothing is sent to any other. */
  readonly destination?: string | undefined;
  readonly systemPrompt: string;
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences: readonly string[];
  readonly tools: readonly SamplingTool[];
  readonly toolChoice?: 'auto' | 'required' | 'none' | undefined;
}

export interface SamplingAnswer {
  readonly model: string;
  readonly content: readonly (TextContent | ToolUseContent)[];
  readonly stopReason: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse';
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Which model a server would like to be answered by. Priorities are from 0 to 1. */
export interface ModelWishes {
  /** Names of models or parts of them, the best first. */
  readonly hints: readonly string[];
  readonly cost?: number | undefined;
  readonly speed?: number | undefined;
  readonly intelligence?: number | undefined;
}

export interface ChosenModel {
  /** The id of the model; '' for the provider's first, where only the provider knows which that is. */
  readonly model: string;
  /** Who would get the request: an address, or the extension that gives VS Code its model. */
  readonly destination: string;
  readonly by: 'hint' | 'priorities' | 'chat';
  /** The models of the provider, as far as they are known without asking it. */
  readonly models: readonly string[];
  /** The most tokens that an answer may have. */
  readonly maxTokens: number;
  readonly takes: { readonly temperature: boolean; readonly images: boolean; readonly audio: boolean };
}

/** A language model that answers a server's request, once the person agreed. */
export interface SamplingModel {
  /** Chooses a model. It sends nothing anywhere, because the person has not agreed to anything yet. Throws an AppError when no model can answer. */
  chooseModel(wishes: ModelWishes): ChosenModel;
  /** Asks the model. Throws an AppError, or an AbortError when `signal` fired. `onUsage` is called with the tokens used so far, also when the request fails in the end. */
  complete(request: SamplingRequest, signal: AbortSignal, onUsage?: (usage: SamplingAnswer['usage']) => void): Promise<SamplingAnswer>;
}
