// seen/: what a client sees of the editor. ports/ says what the server needs of one, withheld/ stands in between and leaves
// out what this client may not see. Everything above asks for the editor through it, in the name of a viewer: this file.
import type { Event } from '../../base/events.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';

/** Who an outside client is. A name it gives itself is never part of this. */
export interface WireCredential {
  readonly id: string;
  readonly kind: 'windowToken' | 'clientToken' | 'oauth';
  /** What a person knows it by: the host a token was copied for, or the name an OAuth client registered with. */
  readonly label?: string | undefined;
  /** The roles its token was made for; left out: any. A token for none of them opens nothing. */
  readonly roles?: readonly Role[] | undefined;
}

/** The chat's own in-memory link: a principal that never comes over the wire. */
export interface ChatCredential {
  readonly id: 'chat';
  readonly kind: 'chat';
}

export type Credential = WireCredential | ChatCredential;

export type TransportKind = 'http' | 'sse' | 'ws' | 'memory';

/** On whose behalf something is listed, read or called. */
export interface Viewer {
  readonly credential: Credential;
  /** None for stateless requests. */
  readonly sessionId: string | undefined;
  /** The client's own words, safe to show; never an identity. */
  readonly callsItself: string;
  readonly transport: TransportKind;
  readonly rights: ViewerRights;
}

/** What a client may do now. */
export interface ViewerRights {
  /** None before the person has let it in. */
  role(): Role | undefined;
  /** The role or the person's policy is another one. */
  readonly onDidChange: Event<void>;
}

/** What the person has lifted for one client of what is withheld from all. */
export interface ClientGrants {
  /** Sensitive files of the workspace: `.env`, keys and the like. */
  readonly sensitive: boolean;
  /** Open documents outside the workspace. */
  readonly outside: boolean;
}

export const noGrants: ClientGrants = { sensitive: false, outside: false };

/** Asked at every use: a grant that is taken back counts at once. */
export interface GrantsPort {
  of(viewer: Viewer): ClientGrants;
  readonly onDidChange: Event<void>;
}
