import type { Role } from '../../contract/questions.ts';
import type { ActRequest } from '../access/actRequest.ts';
import type { TransportKind } from '../catalog/callContext.ts';
import type { WireCredential } from '../credentials.ts';

/** Who asks for something. The credential decides; `callsItself` is only ever shown. */
export interface ConnectingClient {
  readonly credentialId: string;
  readonly credentialKind: WireCredential['kind'];
  /** The MCP session or WebSocket the approval belongs to; none when it belongs to all stateless requests or to the credential. */
  readonly sessionId: string | undefined;
  readonly callsItself: string;
  readonly transport: TransportKind;
}

export type ConnectAnswer = { readonly kind: 'allowed'; readonly role: Role } | { readonly kind: 'denied' };

/** `role` is the one the client has; `isAboveRole` makes it one combined question. */
export interface ActingClient extends ConnectingClient {
  readonly role: Role;
}

export type ActAnswer = 'allowedOnce' | 'allowedForSession' | 'roleRaised' | 'denied';

/** Asks the person; settles when they answer, rejects with an AbortError when `signal` withdraws the question. */
export interface ClientApproval {
  ask(client: ConnectingClient, signal: AbortSignal): Promise<ConnectAnswer>;
  /** May a client do exactly this? Also settles at once when the person allowed the identical act for this session. */
  confirm(client: ActingClient, act: ActRequest, signal: AbortSignal): Promise<ActAnswer>;
  /** May a client use a tool above its role? */
  raiseRole(client: ActingClient, call: RoleCall, signal: AbortSignal): Promise<ActAnswer>;
}

export interface RoleCall {
  readonly tool: string;
  readonly role: Role;
  /** Of the tool's arguments, as JSON. */
  readonly arguments: string;
}
