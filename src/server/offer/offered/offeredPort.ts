// offered/: servers that the person offers to outside clients, beside what the editor itself has. This file is the port: the host
// that runs these servers is behind it. The server never meets the host.
import type { Event } from '../../../base/events.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { AskedElsewhere } from '../../access/clientApproval.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import type { CatalogPart, Tool } from '../catalog/catalog.ts';

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

export interface OfferedCall {
  readonly client: OfferedClient;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: number, message: string | undefined, total: number | undefined) => void;
  /** Waits for a decision of the person, by the rules for outside clients. It rejects with the sentence for the client. */
  decide<T>(key: string, decide: (asked: AskedElsewhere) => Promise<T>, isForOne: (value: T) => boolean): Promise<T>;
}

export type OfferedOutcome =
  /** A complete result of the newest revision. */
  { readonly kind: 'result'; readonly result: JsonObject } | { readonly kind: 'denied'; readonly byStoredAnswer: boolean };

/** The servers that the person offers. */
export interface OfferedServers {
  /** The tools of all offered servers; the same array as long as nothing changes. */
  tools(): readonly OfferedTool[];
  /** Whether clients search the tools when there are many, or are told of all of them. */
  toolList(): 'search' | 'all';
  /** Calls a tool through the gate of the host. */
  callTool(call: OfferedCall): Promise<OfferedOutcome>;
  readonly onDidChange: Event<CatalogPart>;
}
