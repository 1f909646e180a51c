// content/: resources and prompts of servers on their way into the conversation: what is wished for (this file), what the person
// sees of it and what is taken out (preparedContent.ts), the question (contentQuestion.ts), and what the model gets
// (attachedBlock.ts). contentRun.ts is the one way through all of them, whoever wishes it.
import type { JsonObject } from '../../base/json.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { AttachmentKind } from '../../contract/chat/attachments.ts';

export interface OfferedResource {
  readonly serverId: string;
  /** As people call it. */
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
}

/** Resources whose addresses are made of a pattern: `notes://{day}`. */
export interface OfferedTemplate extends Omit<OfferedResource, 'uri'> {
  readonly uriTemplate: string;
}

export interface OfferedPrompt {
  readonly serverId: string;
  readonly server: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
}

/** What running servers have, in their own words. */
export interface ContentOffers {
  readonly resources: readonly OfferedResource[];
  readonly templates: readonly OfferedTemplate[];
  readonly prompts: readonly OfferedPrompt[];
}

interface FromServer {
  readonly serverId: string;
  readonly server: string;
  readonly name: string;
  /** Who let it be read, for the record: the person, who named it, unless it says otherwise. */
  readonly decidedBy?: 'person' | 'remembered' | 'nobody' | undefined;
}

/** What is to become part of the conversation. */
export type ContentWish =
  | (FromServer & { readonly kind: 'resource'; readonly uri: string })
  | (FromServer & { readonly kind: 'prompt'; readonly description: string; readonly arguments: Readonly<Record<string, string>> });

/** Something of the editor's that the person attached: an act of theirs, so nobody is asked unless it holds what is withheld. */
export interface AttachmentWish {
  readonly kind: 'attachment';
  readonly what: AttachmentKind;
  readonly name: string;
  /** The call that it is the result of: a server said it, and the model may hand it on to another. */
  readonly saidIn?: SaidIn | undefined;
  /** Rejects with an AppError, or with an AbortError when the signal fired. */
  readonly read: (signal: AbortSignal) => Promise<AttachmentReading>;
}

export interface SaidIn {
  readonly serverId: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export interface AttachmentReading {
  readonly content: readonly GivenContent[];
  readonly isWithheld: boolean;
}

/** A part of what a server answered. Addresses in it are never followed: only what the server itself sent is content. */
export type GivenContent = { readonly role?: 'user' | 'assistant' | undefined; readonly name: string } & (
  | { readonly kind: 'text'; readonly text: string }
  /** Base64. */
  | { readonly kind: 'blob'; readonly mimeType: string; readonly data: string }
  | { readonly kind: 'link'; readonly uri: string }
);

export type ContentReading =
  | { readonly kind: 'given'; readonly content: readonly GivenContent[] }
  | ({ readonly kind: 'failed' } & ExplainedFailure);

export interface ExplainedFailure {
  /** For the person alone, in their language. */
  readonly sentence: string;
}

/** Where in a text a secret is. */
export interface SecretPlace {
  readonly from: number;
  readonly to: number;
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
