import type { Event } from '../../base/events.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { RunChain } from '../../testRuns/chain/runChain.ts';
import type { TransportKind, WireCredential } from '../seen/viewer.ts';

/** A client that wants to connect. The credential is its identity; `callsItself` is only shown. */
export interface ConnectingClient {
  readonly credentialId: string;
  readonly credentialKind: WireCredential['kind'];
  /** The MCP session or WebSocket that the approval is for; `undefined` if it is for all stateless requests or for the whole credential. */
  readonly sessionId: string | undefined;
  readonly callsItself: string;
  readonly transport: TransportKind;
  /**
   * The pairing code of an OAuth sign-in, which the page in the browser shows, too. With a code the question is always asked,
   * whatever was answered before: anybody can send a browser here in the name of a known registration.
   */
  readonly pairingCode?: string | undefined;
  /** The roles that the client can be given, because its token was made for them; by default all. */
  readonly roles?: readonly Role[] | undefined;
}

export type ConnectAnswer = { readonly kind: 'allowed'; readonly role: Role } | { readonly kind: 'denied' };

/** An earlier answer that still holds. A different `id` is a different answer, even if it says the same. */
export type StandingAnswer = ConnectAnswer & { readonly id: string };

/** The answers that the person gave before, in this or another window. */
export interface StandingAnswers {
  of(client: ConnectingClient): StandingAnswer | undefined;
  readonly onDidChange: Event<void>;
}

export interface ActingClient extends ConnectingClient {
  /** The role that the client has. If it is too low for the act, one question covers both. */
  readonly role: Role;
  /**
   * Whether an answer can be remembered for this client. It is false for stateless requests with the window token, which can only
   * be allowed once.
   */
  readonly canBeRemembered: boolean;
  /** Whether the policy demands a question each time, whatever was answered before. */
  readonly asksEachTime: boolean;
}

/** An act that the chat or another part of Duplex itself asks for. */
export interface OwnAct {
  /** The id of the call in this editor; without it nobody can be asked. */
  readonly callId: string | undefined;
  readonly act: ActRequest;
  /** Whether the policy demands a question each time, whatever was answered before. */
  readonly asksEachTime: boolean;
}

/** The person's answer about an act; `allowedAfterSaving` also holds once only. */
export type ActAnswer = 'allowedOnce' | 'allowedAfterSaving' | 'allowedForSession' | 'roleRaised' | 'denied';

/** The person's answer about an act of Duplex itself. The consent gate remembers how long it holds. */
export type OwnAnswer = 'allowed' | 'allowedAfterSaving' | 'denied';

/** A call or a read about which the person is asked, because of the role or because the policy demands it. */
export interface RoleCall {
  /** The name of the tool, or the URI of the resource that is read. */
  readonly tool: string;
  readonly role: Role;
  /** The arguments of the tool as JSON; `undefined` for a read. */
  readonly arguments: string | undefined;
}

/**
 * Asks the person about clients. Each method resolves with the answer, and rejects with an AbortError when `signal` withdraws the
 * question.
 */
export interface ClientApproval {
  ask(client: ConnectingClient, signal: AbortSignal): Promise<ConnectAnswer>;
  /** Asks whether a client may do exactly this. Resolves at once if the person allowed the identical act for this session. */
  confirm(client: ActingClient, act: ActRequest, signal: AbortSignal): Promise<ActAnswer>;
  /** Asks the same for the chat and other parts of Duplex itself. */
  confirmOwn(own: OwnAct, signal: AbortSignal): Promise<OwnAnswer>;
  /** Asks whether a client may use a tool above its role, or one that the policy wants a question for. */
  raiseRole(client: ActingClient, call: RoleCall, signal: AbortSignal): Promise<ActAnswer>;
  /** The earlier answers; `undefined` if no answer outlives its connection. */
  readonly standing?: StandingAnswers | undefined;
}

/** A test command with all scripts that it runs, and its folder. If it is a task, it has a definition. */
export interface RunScript {
  readonly commandLine: string;
  readonly definition?: string | undefined;
  readonly chain: RunChain;
  readonly cwd: string;
}

/** Code that a debugger would run: where, and what. */
export interface DebugCode {
  readonly place: string;
  readonly text: string;
}

/** What a client wants to do, complete, as the person is shown it. */
export interface ActRequest {
  readonly tool: string;
  /** The least role that may do this. */
  readonly role: Role;
  readonly what:
    | {
        readonly kind: 'command';
        readonly commandLine: string;
        readonly cwd: string;
        readonly terminal: string;
        /** What ran before in the same terminal, and how many more there were; left out for a new one. */
        readonly earlier?: readonly string[];
        readonly moreEarlier?: number;
      }
    /** What would be typed for a command that runs. */
    | { readonly kind: 'input'; readonly text: string; readonly commandLine: string }
    | { readonly kind: 'task'; readonly name: string; readonly definition: string; readonly chain: RunChain }
    /** A test command, and those that run after it in other folders. */
    | ({ readonly kind: 'script'; readonly next?: readonly RunScript[] | undefined } & RunScript)
    | { readonly kind: 'save'; readonly path: string }
    | { readonly kind: 'codeAction'; readonly title: string; readonly path: string; readonly command: string }
    /** What would be debugged, and the code that the debugger would run at places on the way. */
    | {
        readonly kind: 'debug';
        readonly name: string;
        readonly definition: string;
        readonly chain: RunChain;
        readonly code?: readonly DebugCode[] | undefined;
      }
    /** Code for the debugger, in one session or in all. */
    | { readonly kind: 'debugCode'; readonly session?: string | undefined; readonly code: readonly DebugCode[] }
    /** The use of a session that the person started. */
    | { readonly kind: 'debugSession'; readonly session: string };
  /** Whether "allow for this session" may be offered. It then holds for the identical `what`, and for saving any file. */
  readonly offersSession: boolean;
  /** The files whose unsaved text a run would not see; the person can have them saved first. They are not part of the act. */
  readonly unsaved?: readonly string[] | undefined;
}

/** How the person allowed an act: as it is, or after saving these files, which are those that the question named. */
export type ActPermission = 'asItIs' | { readonly afterSaving: readonly string[] };

/** A decision that is not made in the server: that of the gate through which all tools of other servers are called. */
export interface OfferedDecision<T> {
  readonly tool: OfferedSubject;
  /** The client paths in the arguments, for the policy. */
  readonly paths?: readonly string[] | undefined;
  /** A text that identical calls have in common. */
  readonly key: string;
  readonly decide: (asked: AskedElsewhere) => Promise<T>;
  /** Whether an answer is for one call alone, however many identical ones wait. */
  readonly isForOne: (value: T) => boolean;
}

export interface AskedElsewhere {
  /** Fires when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** Whether the policy demands a question each time, whatever was answered before. */
  readonly asksEachTime: boolean;
}

/** What the policy knows of a call of another server. */
export interface OfferedSubject {
  /** The name under which clients know the tool; left out for what is read. */
  readonly name?: string | undefined;
  /** What is read. */
  readonly resource?: string | undefined;
  /** The names of the server. */
  readonly server?: readonly string[] | undefined;
}
