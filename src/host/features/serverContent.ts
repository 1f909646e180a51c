import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ResourcePart } from './resources.ts';

/** A part of what a server answered to a read or a prompt. Addresses in it are never followed. */
export type ServerContent = { readonly role?: PromptMessage['role'] | undefined; readonly name: string } & (
  | { readonly kind: 'text'; readonly text: string }
  /** The content as Base64. */
  | { readonly kind: 'blob'; readonly mimeType: string; readonly data: string }
  | { readonly kind: 'link'; readonly uri: string }
);

export function contentOfResource(contents: readonly ResourcePart[]): ServerContent[] {
  return contents.map((content) =>
    content.kind === 'text'
      ? { kind: 'text', name: content.uri, text: content.text }
      : { kind: 'blob', name: content.uri, mimeType: content.mimeType ?? '', data: content.data },
  );
}

/** An embedded resource counts with the content that the server sent; a link stays a link. */
export function contentOfPrompt(messages: readonly PromptMessage[]): ServerContent[] {
  return messages.map(({ role, content }) => ({ role, ...toContent(content) }));
}

function toContent(content: JsonObject): ServerContent {
  const { resource } = content;
  const uri = textOf(content['uri']);
  switch (textOf(content['type'])) {
    case 'text':
      return { kind: 'text', name: '', text: textOf(content['text']) };
    case 'image':
    case 'audio':
      return { kind: 'blob', name: '', mimeType: textOf(content['mimeType']), data: textOf(content['data']) };
    case 'resource_link':
      return { kind: 'link', name: textOf(content['title'] ?? content['name'] ?? uri), uri };
    case 'resource':
      return isJsonObject(resource) ? embedded(resource) : unknownContent(content);
    default:
      return unknownContent(content);
  }
}

function embedded(resource: JsonObject): ServerContent {
  const name = textOf(resource['uri']);
  return typeof resource['text'] === 'string'
    ? { kind: 'text', name, text: resource['text'] }
    : { kind: 'blob', name, mimeType: textOf(resource['mimeType']), data: textOf(resource['blob']) };
}

/** Content of a kind that this version does not know is taken as its JSON. */
function unknownContent(content: JsonObject): ServerContent {
  return { kind: 'text', name: '', text: JSON.stringify(content, undefined, 2) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export interface PromptContent {
  readonly description: string;
  readonly messages: readonly PromptMessage[];
}

/** `content` is as the protocol has it: text, image, audio, an embedded resource or a link. Links are never followed. */
interface PromptMessage {
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
