// offered/: servers that the person offers to outside clients, beside what the editor itself has. This file is the port: the host
// that runs these servers is behind it. The server never meets the host.
import type { Event } from '../../../base/events.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { AskedElsewhere } from '../../access/clientApproval.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import type { CatalogPart, Completion, CompletionRequest, Tool } from '../catalog/catalog.ts';

/** A tool of an offered server. */
export interface OfferedTool {
  /** The name for clients, `SERVER__tool`; it never comes to mean another tool. */
  readonly name: string;
  /** The entry in `tools/list`, for the newest revision. */
  readonly listing: JsonObject;
  /** The server's name and label, for the policy. */
  readonly server: readonly string[];
  readonly taskSupport?: Tool['taskSupport'];
}

/** The client on whose behalf a server is asked. No server is told of it. */
export interface OfferedClient {
  readonly credential: WireCredential;
  /** The session; `undefined` for stateless requests. */
  readonly sessionId: string | undefined;
  readonly callsItself: string;
}

/** What a client wants of an offered server. */
export interface OfferedWish {
  readonly client: OfferedClient;
  readonly signal: AbortSignal;
  /** Waits for a decision of the person, by the rules for outside clients. It rejects with the sentence for the client. */
  decide<T>(key: string, decide: (asked: AskedElsewhere) => Promise<T>, isForOne: (value: T) => boolean): Promise<T>;
}

export interface OfferedCall extends OfferedWish {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly onProgress: (progress: number, message: string | undefined, total: number | undefined) => void;
}

export type OfferedOutcome<Result = JsonObject> =
  /** A complete result of the newest revision. */
  { readonly kind: 'result'; readonly result: Result } | { readonly kind: 'denied'; readonly byStoredAnswer: boolean };

/** An entry of a list of an offered server. */
interface OfferedListing {
  /** The names of the server, for the policy. */
  readonly server: readonly string[];
  /** The entry in the list, for the newest revision. */
  readonly listing: JsonObject;
}

export type PromptListing = OfferedListing & { readonly name: string };
export type ResourceListing = OfferedListing & { readonly uri: string };
export type TemplateListing = OfferedListing & { readonly template: { readonly uriTemplate: string } };

export interface OfferedCompletion extends Pick<CompletionRequest, 'argument' | 'context'>, Pick<OfferedWish, 'client' | 'signal'> {
  readonly of: { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'template'; readonly uriTemplate: string };
}

/** The prompts and resources of offered servers. Each list is the same array as long as nothing changes. */
export interface OfferedContentPort {
  prompts(): readonly PromptListing[];
  resources(): readonly ResourceListing[];
  templates(): readonly TemplateListing[];
  /** The names of each server that would read an address: because it lists it, or because it has a pattern that the address follows. */
  serversAt(uri: string): readonly (readonly string[])[];
  /** Gets a prompt through the gate of the host. */
  getPrompt(wish: OfferedWish & { readonly name: string; readonly arguments: Readonly<Record<string, string>> }): Promise<OfferedOutcome>;
  readResource(wish: OfferedWish & { readonly uri: string }): Promise<OfferedOutcome<readonly JsonObject[]>>;
  /** Asks as a reading would, without one. */
  allowReading(wish: OfferedWish & { readonly uri: string }): Promise<OfferedOutcome<undefined>>;
  changesOf(uri: string): Event<void>;
  /** Asks nobody; there are no values where nobody has allowed the prompt or the template for longer. */
  complete(wish: OfferedCompletion): Promise<Completion>;
}

/** The servers that the person offers. */
export interface OfferedServersPort {
  /** The tools of all offered servers; the same array as long as nothing changes. */
  tools(): readonly OfferedTool[];
  /** Whether clients search the tools when there are many, or are told of all of them. */
  toolList(): 'search' | 'all';
  /** Calls a tool through the gate of the host. */
  callTool(call: OfferedCall): Promise<OfferedOutcome>;
  readonly content: OfferedContentPort;
  readonly onDidChange: Event<CatalogPart>;
}
