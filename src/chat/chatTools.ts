import type { JsonObject } from '../base/json.ts';
import type { HeardTexts } from '../consent/heard/heardTexts.ts';
import type { Question } from '../contract/questions.ts';
import type { PersonAnswer } from '../contract/questions/answers.ts';
import type { ToolResultItem } from '../contract/chatState.ts';
import type { ContentDestination } from '../contract/sentContent.ts';
import type { ModelTool } from './modelProvider.ts';
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
  prepare(preparation: { readonly ask: ChatAsk; readonly signal: AbortSignal }): Promise<void>;
  /** Never throws for what a server or a person does: every ending is an outcome. */
  call(call: ChatToolCall): Promise<ChatToolOutcome>;
}

export type ChatAsk = (question: Question, signal: AbortSignal) => Promise<PersonAnswer>;

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
  readonly ask: ChatAsk;
  /** Permission is there and the call is on its way; arguments as the person left them. */
  readonly onStart: (args: JsonObject) => void;
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
