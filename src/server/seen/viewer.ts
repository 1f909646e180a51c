// seen/: what a client sees of the editor. ports/ says what the server needs of an editor; withheld/ stands between it and a client
// and leaves out what the client may not see. Whoever asks for the editor names a viewer, that is on whose behalf: this file.
import type { Event } from '../../base/events.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';

/** The identity of an outside client. The name it gives itself is never part of it. */
export interface WireCredential {
  readonly id: string;
  readonly kind: 'windowToken' | 'clientToken' | 'oauth';
  /** What a person knows the credential by: the host for which a token was copied, or the name with which an OAuth client registered. */
  readonly label?: string | undefined;
  /** The roles that its token was made for; by default all. A token that was made for no role opens nothing. */
  readonly roles?: readonly Role[] | undefined;
}

/** The credential of the chat's own in-memory link. It never comes over the network. */
export interface ChatCredential {
  readonly id: 'chat';
  readonly kind: 'chat';
}

export type Credential = WireCredential | ChatCredential;

export type TransportKind = 'http' | 'sse' | 'ws' | 'memory';

/** The client on whose behalf something is listed, read or called. */
export interface Viewer {
  readonly credential: Credential;
  /** The session; `undefined` for stateless requests. */
  readonly sessionId: string | undefined;
  /** What the client calls itself, safe to show; never an identity. */
  readonly callsItself: string;
  readonly transport: TransportKind;
  readonly rights: ViewerRights;
}

/** What a client may do at this moment. */
export interface ViewerRights {
  /** The role of the client; `undefined` before the person has approved it. */
  role(): Role | undefined;
  /** Fires when the role or the policy changes. */
  readonly onDidChange: Event<void>;
}

/** What the person shows to one client although it is withheld from all others. */
export interface ClientGrants {
  /** Whether it sees sensitive files of the workspace: `.env`, keys and the like. */
  readonly sensitive: boolean;
  /** Whether it sees open documents outside the workspace. */
  readonly outside: boolean;
  /** Whether it is told of every tool of the offered servers, however many there are. */
  readonly allTools?: boolean | undefined;
}

export const noGrants: ClientGrants = { sensitive: false, outside: false };

/** Returns the grants of a client. It is asked at every use, so that a revoked grant counts at once. */
export interface GrantsPort {
  of(viewer: Viewer): ClientGrants;
  readonly onDidChange: Event<void>;
}
