import type { Event } from '../../base/events.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { RunChain } from '../../testRuns/chain/runChain.ts';
import type { TransportKind, WireCredential } from '../seen/viewer.ts';

/** Who asks for something. The credential decides; `callsItself` is only ever shown. */
export interface ConnectingClient {
  readonly credentialId: string;
  readonly credentialKind: WireCredential['kind'];
  /** The MCP session or WebSocket the approval belongs to; none when it belongs to all stateless requests or to the credential. */
  readonly sessionId: string | undefined;
  readonly callsItself: string;
  readonly transport: TransportKind;
  /**
   * For an OAuth registration: what its page in the browser shows too. With one the question is always opened, whatever was
   * answered before: anybody can send a browser here under a known registration.
   */
  readonly pairingCode?: string | undefined;
  /** The roles it can be given at most, by what its token was made for; left out: any. */
  readonly roles?: readonly Role[] | undefined;
}

export type ConnectAnswer = { readonly kind: 'allowed'; readonly role: Role } | { readonly kind: 'denied' };

/** An answer that holds without asking. Another `id` is another answer, even if it says the same. */
export type StandingAnswer = ConnectAnswer & { readonly id: string };

/** What the person answered before, here or in another window. */
export interface StandingAnswers {
  of(client: ConnectingClient): StandingAnswer | undefined;
  readonly onDidChange: Event<void>;
}

export interface ActingClient extends ConnectingClient {
  /** The one the client has; below the role of the act it makes one combined question. */
  readonly role: Role;
  /** False for stateless requests with the window token: those act by "Allow once" only. */
  readonly canBeRemembered: boolean;
  /** The policy wants to be asked whatever was answered before. */
  readonly asksEachTime: boolean;
}

/** What a surface of Duplex's own asks for. */
export interface OwnAct {
  /** Under which the call is known here; without one nobody can be asked. */
  readonly callId: string | undefined;
  readonly act: ActRequest;
  /** The policy wants to be asked whatever was answered before. */
  readonly asksEachTime: boolean;
}

/** `allowedAfterSaving`: once, too. */
export type ActAnswer = 'allowedOnce' | 'allowedAfterSaving' | 'allowedForSession' | 'roleRaised' | 'denied';

/** The same for what is asked here: how long it holds is the gate's to remember. */
export type OwnAnswer = 'allowed' | 'allowedAfterSaving' | 'denied';

/** A call or a read whose role is asked about, or that the policy wants to be asked about. */
export interface RoleCall {
  /** Its name; for a read the URI of the resource. */
  readonly tool: string;
  readonly role: Role;
  /** Of the tool's arguments, as JSON; none for a read. */
  readonly arguments: string | undefined;
}

/** Asks the person; settles when they answer, rejects with an AbortError when `signal` withdraws the question. */
export interface ClientApproval {
  ask(client: ConnectingClient, signal: AbortSignal): Promise<ConnectAnswer>;
  /** May a client do exactly this? Also settles at once when the person allowed the identical act for this session. */
  confirm(client: ActingClient, act: ActRequest, signal: AbortSignal): Promise<ActAnswer>;
  /** The same for the chat and the other surfaces here. */
  confirmOwn(own: OwnAct, signal: AbortSignal): Promise<OwnAnswer>;
  /** May a client use a tool above its role, or one the policy asks about? */
  raiseRole(client: ActingClient, call: RoleCall, signal: AbortSignal): Promise<ActAnswer>;
  /** Left out where no answer outlives its connection. */
  readonly standing?: StandingAnswers | undefined;
}

/** What a client wants done, whole, as the person is shown it. */
export interface ActRequest {
  readonly tool: string;
  /** The least role for it. */
  readonly role: Role;
  readonly what:
    | { readonly kind: 'command'; readonly commandLine: string; readonly cwd: string }
    | { readonly kind: 'task'; readonly name: string; readonly definition: string; readonly chain: RunChain }
    /** A test command: all that runs with it, and where. One that is a task has a definition. */
    | {
        readonly kind: 'script';
        readonly commandLine: string;
        readonly definition?: string | undefined;
        readonly chain: RunChain;
        readonly cwd: string;
      }
    | { readonly kind: 'save'; readonly path: string }
    | { readonly kind: 'codeAction'; readonly title: string; readonly path: string; readonly command: string };
  /** Whether "for this session" may be offered: for the identical `what`, and for saving whatever the file. */
  readonly offersSession: boolean;
  /** Files whose unsaved text a run would not see, as the person knows them: they can have them saved first. No part of the act. */
  readonly unsaved?: readonly string[] | undefined;
}

/** How the person allowed it: as it is, or after these files are saved, which are those that the question named. */
export type ActPermission = 'asItIs' | { readonly afterSaving: readonly string[] };
