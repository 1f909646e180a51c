// catalog/: how the protocol sees what is offered, whatever it is, and what an offer sees of the call it serves. Knows no editor.
import type { Event } from '../../../base/events.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/rolesAndClaims.ts';
import type { ActPermission, ActRequest } from '../../access/clientApproval.ts';
import type { Viewer } from '../../seen/viewer.ts';

/** Everything a client can list, call, read and ask for. The protocol machinery knows nothing else of what is served. */
export interface Catalog {
  /** For `initialize` and `server/discover`. */
  readonly instructions: string;
  /** In the order of publication. */
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  /** Entries of `resources/templates/list` for the newest revision. */
  readonly templates: readonly JsonObject[];
  findTool(name: unknown): Tool | undefined;
  findPrompt(name: unknown): Prompt | undefined;
  /** Entries of `resources/list`; before approval (`undefined`) only the fixed URIs. */
  listResources(viewer: Viewer | undefined): readonly JsonObject[];
  /** By shape alone: whether something is there, and may be seen, shows in `read`. */
  findResource(uri: string, viewer: Viewer): Resource | undefined;
  /** At most 100 values; an empty list for what cannot be completed. */
  complete(request: CompletionRequest, call: CallContext): Promise<Completion>;
  readonly onDidChange: Event<CatalogPart>;
  /** `onDidChange` without what this client cannot see; left out when all see the same. */
  changesFor?(viewer: Viewer): Event<CatalogPart>;
}

export type CatalogPart = 'tools' | 'resources' | 'prompts';

export interface Tool {
  readonly name: string;
  /** The least role that may call it without being asked about. */
  readonly role: Role;
  /** Acting tools have a rate of their own, and a malformed policy denies them all. */
  readonly acts: boolean;
  /**
   * Who asks when the role is too low. `role`: the server, before the call, about the role alone. `call`: the tool itself,
   * with `CallContext.confirm` and what exactly it would do, whether or not the role is too low.
   */
  readonly asks: 'role' | 'call';
  /** Whether a 2025-11-25 client may ask for it as a task. */
  readonly taskSupport?: 'optional' | 'required' | undefined;
  /** Its entry in `tools/list` for the newest revision. */
  readonly listing: JsonObject;
  prepare(args: unknown): PreparedCall;
}

export type PreparedCall =
  | {
      readonly kind: 'ready';
      /** Client paths the call is about, for the policy. */
      readonly paths: readonly string[];
      /**
       * What it needs of the client before anything begins, a task included; asked for until it returns nothing. Left out:
       * whatever is needed is asked for by `run`.
       */
      gather?(call: CallContext): InputRequired | undefined;
      run(call: CallContext): Promise<ToolOutcome> | ToolOutcome;
    }
  | { readonly kind: 'badArguments'; readonly parameter: string; readonly reason: string };

export type ToolOutcome =
  | ToolOutput
  /** A `CallToolResult` as it is, in the newest revision. */
  | { readonly kind: 'result'; readonly result: JsonObject }
  | InputRequired;

/** Structured; clients of before 2025-06-18 get its JSON as text. */
export interface ToolOutput {
  readonly kind: 'output';
  readonly output: object;
  /** The output as JSON, where that is written already. */
  readonly structure?: string | undefined;
  /** For models that read the text: the same, compact and plain. Left out: the JSON. */
  readonly toText?: (() => string) | undefined;
  /** Blocks of content behind the text, in the newest revision. */
  readonly attached?: readonly JsonObject[];
}

/** The call needs something of the client first. In the legacy era it becomes requests to the client; then the call is run again. */
export interface InputRequired {
  readonly kind: 'inputRequired';
  /** By a key of the tool's own: `{method: 'elicitation/create', params}`. */
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** Comes back with the answers, protected against tampering by the server, not by the tool. */
  readonly state?: JsonValue | undefined;
}

export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: JsonObject | undefined;
}

export interface Resource {
  readonly uri: string;
  /** `runner` for terminals. */
  readonly role: Role;
  /** Client paths it is about, for the policy. */
  readonly paths: readonly string[];
  /** Rejects with `resourceNotFound` when there is nothing, or nothing this client may see. */
  read(call: CallContext): Promise<ResourceContent | InputRequired> | ResourceContent | InputRequired;
  /** Rejects like `read`, without reading. */
  check(call: CallContext): Promise<void> | void;
  /** Fires when a client that read it should read it again. */
  readonly changes: Event<void>;
}

export type ResourceContent =
  | { readonly kind: 'json'; readonly value: object }
  | { readonly kind: 'text'; readonly text: string; readonly mimeType: string }
  | { readonly kind: 'blob'; readonly base64: string; readonly mimeType: string };

export interface Prompt {
  readonly name: string;
  /** Its entry in `prompts/list` for the newest revision. */
  readonly listing: JsonObject;
  /** `messages` and `description` of `prompts/get`, in the newest revision. Rejects with `badPromptArguments()`. */
  get(args: Readonly<Record<string, string>>, call: CallContext): Promise<JsonObject | InputRequired>;
}

export interface CompletionRequest {
  readonly ref: { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments the client has already filled in. */
  readonly context: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  readonly total?: number | undefined;
  readonly hasMore?: boolean | undefined;
}

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** What a tool, a resource or a prompt sees of the request it serves. */
export interface CallContext {
  readonly viewer: Viewer;
  /** Of a call that Duplex's own surfaces make. */
  readonly ownCallId?: string | undefined;
  /** Made on demand; aborted when the client cancels or goes. */
  readonly signal: AbortSignal;
  /** Whether progress reaches anybody. */
  readonly wantsProgress: boolean;
  /** `progress` rises with every call; the rest is for people. */
  reportProgress(progress: number, message?: string, total?: number): void;
  /** Reaches the client only if it asked for logs of this level. */
  log(level: LogLevel, data: JsonValue, logger?: string): void;
  /** What the client declared that it can do. */
  readonly clientCapabilities: JsonObject;
  /** The client's answers to what `inputRequired` asked for, by its keys; empty in the first round. */
  readonly inputResponses: Readonly<Record<string, JsonObject>>;
  /** The state of that round, already verified. */
  readonly requestState: JsonValue | undefined;
  /**
   * Asks the person, or finds that they allowed exactly this before. Rejects with an AppError whose sentence is the answer
   * for the client: denied, still waiting, or forbidden by the policy. `afterSaving` only if the act names what is unsaved.
   */
  confirm(act: ActRequest): Promise<ActPermission>;
  /**
   * Joins or opens a question of the tool's own (a diff review): waits as long as acting questions may, with progress,
   * then rejects with "waiting for approval in VS Code" while the question stays open; an identical retry (same `key`)
   * gets its answer. `ask`'s signal fires when nobody wants the answer any more.
   */
  joinQuestion<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** From chatter to catastrophe. */
const logLevels: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** What a legacy client gets that never said how much it wants. */
export const defaultLogLevel: LogLevel = 'info';

export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value);
}

export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
