import { isJsonObject, type JsonObject } from '../../base/json.ts';

export interface PromptContent {
  readonly description: string;
  readonly messages: readonly PromptMessage[];
}

/** `content` is as the protocol has it: text, image, audio, an embedded resource or a link. Links are never followed. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: JsonObject;
}

interface RawPrompt {
  readonly description?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
}

export function readPromptMessages({ description, messages }: RawPrompt): PromptContent {
  return {
    description: description ?? '',
    messages: messages.flatMap(({ role, content }) => (isJsonObject(content) ? [{ role, content }] : [])),
  };
}
