// catalog/: how the protocol sees what is offered, and what a tool, resource or prompt sees of the call it serves. It knows no
// editor.
import type { Event } from '../../../base/events.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/rolesAndClaims.ts';
import type { ActPermission, ActRequest, OfferedDecision } from '../../access/clientApproval.ts';
import type { Viewer } from '../../seen/viewer.ts';

/** Everything a client can list, call, read and ask for. It is all that the protocol room knows of what is served. */
export interface Catalog {
  /** The instructions in the answers to `initialize` and `server/discover`. */
  readonly instructions: string;
  /** The tools in the order in which they are listed. */
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  /** The entries of `resources/templates/list`, for the newest revision. */
  readonly templates: readonly JsonObject[];
  /** The skills in the order in which they are listed. A catalog without any does not announce that it could have some. */
  readonly skills?: readonly Skill[] | undefined;
  /** The tools that only this client sees, beside `tools`: those of servers that the person offers to it. */
  toolsFor?(viewer: Viewer): readonly Tool[];
  /** The prompts that only this client sees, beside `prompts`. */
  promptsFor?(viewer: Viewer): readonly Prompt[];
  /** The resources and templates of servers that the person offers to this client, beside those of the editor. */
  resourcesFor?(viewer: Viewer): readonly OfferedEntry[];
  templatesFor?(viewer: Viewer): readonly OfferedEntry[];
  /** The names of the servers that would read an address for this client; `undefined` for the editor's own. */
  serverOf?(uri: string, viewer: Viewer): readonly string[] | undefined;
  /** Without a viewer, only those are found that everybody sees. */
  findTool(name: unknown, viewer?: Viewer): Tool | undefined;
  findPrompt(name: unknown, viewer?: Viewer): Prompt | undefined;
  /** The entries of `resources/list`. Without a viewer, that is before the person has approved the client, only the fixed URIs. */
  listResources(viewer: Viewer | undefined): readonly JsonObject[];
  /** Finds a resource by the form of its URI alone; whether it exists and may be seen turns out in `read`. */
  findResource(uri: string, viewer: Viewer): Resource | undefined;
  /** Completes an argument with at most 100 values; the list is empty for what cannot be completed. */
  complete(request: CompletionRequest, call: CallContext): Promise<Completion>;
  readonly onDidChange: Event<CatalogPart>;
  /** Like `onDidChange`, without changes that this client cannot see. It may be left out if all clients see the same. */
  changesFor?(viewer: Viewer): Event<CatalogPart>;
}

export type CatalogPart = 'tools' | 'resources' | 'prompts';

/** An entry in the list of resources or of templates of an offered server. */
export interface OfferedEntry {
  /** The URI, or the template of URIs. */
  readonly address: string;
  /** The names of the server, for the policy. */
  readonly server: readonly string[];
  readonly listing: JsonObject;
}

export interface Tool {
  readonly name: string;
  /** The least role that may call it without being asked about. */
  readonly role: Role;
  /** Whether the tool changes or runs something. Acting tools have a rate limit of their own, and a malformed policy denies them all. */
  readonly acts: boolean;
  /**
   * Who asks the person when the role is too low. `role`: the server, before the call, about the role alone. `call`: the tool
   * itself, by `CallContext.confirm`, about exactly what it would do, also when the role is high enough.
   */
  readonly asks: 'role' | 'call';
  /** The names of the server that the person offers and that carries the tool out, for the policy; left out for the editor's own. */
  readonly server?: readonly string[] | undefined;
  /** Whether a client of revision 2025-11-25 may, or must, call the tool as a task. */
  readonly taskSupport?: 'optional' | 'required' | undefined;
  /** The entry in `tools/list`, for the newest revision. */
  readonly listing: JsonObject;
  prepare(args: unknown): PreparedCall;
  /** For a tool that only stands for others: the one that is meant. That one is asked about, policed and recorded instead. */
  readonly standsFor?: ((args: unknown, viewer: Viewer) => MeantCall) | undefined;
}

export type MeantCall =
  | { readonly kind: 'call'; readonly tool: Tool; readonly arguments: JsonObject }
  | Extract<PreparedCall, { readonly kind: 'badArguments' }>;

export type PreparedCall =
  | {
      readonly kind: 'ready';
      /** The client paths in the arguments, for the policy. */
      readonly paths: readonly string[];
      /** The arguments as they were read, where the client had other names for some: these are asked about and recorded. */
      readonly renamed?: unknown;
      /**
       * Returns what the client must answer before anything begins, also before a task is made; it is called again until it returns
       * nothing. Without it, `run` asks for what it needs.
       */
      gather?(call: CallContext): InputRequired | undefined;
      run(call: CallContext): Promise<ToolOutcome> | ToolOutcome;
    }
  | { readonly kind: 'badArguments'; readonly parameter: string; readonly reason: string };

export type ToolOutcome =
  | ToolOutput
  /** A complete `CallToolResult` of the newest revision. */
  | { readonly kind: 'result'; readonly result: JsonObject }
  | InputRequired;

/** A structured answer. Clients of revisions before 2025-06-18 get its JSON as text. */
export interface ToolOutput {
  readonly kind: 'output';
  readonly output: object;
  /** The output as JSON, if somebody has written it already. */
  readonly structure?: string | undefined;
  /** Writes the output as compact plain text for models. Without it, they get the JSON. */
  readonly toText?: (() => string) | undefined;
  /** Further blocks of content after the text, in the form of the newest revision. */
  readonly attached?: readonly JsonObject[];
}

/**
 * The call needs an answer of the client first. In the legacy era the server sends requests to the client and then runs the call
 * again; in the modern era the client repeats the call with its answers.
 */
export interface InputRequired {
  readonly kind: 'inputRequired';
  /** Requests such as `{method: 'elicitation/create', params}`, under keys that the tool chooses. */
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** State that comes back with the answers. The server, not the tool, protects it against tampering. */
  readonly state?: JsonValue | undefined;
}

export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: JsonObject | undefined;
}

export interface Resource {
  readonly uri: string;
  /** The least role that may read it; `runner` for terminals. */
  readonly role: Role;
  /** The client paths that the resource is about, for the policy. */
  readonly paths: readonly string[];
  /** The names of the offered server that has it, for the policy. Then `read` and `check` ask the person by themselves. */
  readonly server?: readonly string[] | undefined;
  /** Rejects with an error that `isNotFound` recognizes if there is nothing that this client may see. */
  read(call: CallContext): Promise<ResourceContent | ForeignContents | InputRequired> | ResourceContent | InputRequired;
  /** Rejects like `read` would, without reading. */
  check(call: CallContext): Promise<void> | void;
  /** Fires when a client that read it should read it again. */
  readonly changes: Event<void>;
}

export type ResourceContent =
  | { readonly kind: 'json'; readonly value: object }
  | { readonly kind: 'text'; readonly text: string; readonly mimeType: string }
  | { readonly kind: 'blob'; readonly base64: string; readonly mimeType: string };

/** The contents as another server gave them, each with its own URI. */
export interface ForeignContents {
  readonly kind: 'contents';
  readonly contents: readonly JsonObject[];
}

export interface Prompt {
  readonly name: string;
  /** The entry in `prompts/list`, for the newest revision. */
  readonly listing: JsonObject;
  /** The names of the offered server that has it, for the policy. Then `get` asks the person by itself. */
  readonly server?: readonly string[] | undefined;
  /** The result of `prompts/get` in the newest revision. Rejects with `badPromptArguments()`. */
  get(args: Readonly<Record<string, string>>, call: CallContext): Promise<JsonObject | InputRequired>;
}

/** Instructions for an agent: one file, which is a resource, too. */
export interface Skill {
  readonly name: string;
  /** When to use it, for the agent. */
  readonly description: string;
  /** The URI of its file. */
  readonly uri: string;
  /** The tools that it names. A client to which one of them is not offered is not offered the skill. */
  readonly tools: readonly string[];
  /** The text of its file, which begins with name and description. */
  readonly read: () => Promise<string>;
}

export interface CompletionRequest {
  readonly ref: { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The arguments that the client has already filled in. */
  readonly context: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  readonly total?: number | undefined;
  readonly hasMore?: boolean | undefined;
}

export type McpLogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** What a tool, a resource or a prompt sees of the request it serves. */
export interface CallContext {
  readonly viewer: Viewer;
  /** The id of a call by the chat or another part of Duplex itself. */
  readonly ownCallId?: string | undefined;
  /** Fires when the client cancels the call or disconnects. It is made when it is first read. */
  readonly signal: AbortSignal;
  /** Whether the client asked for progress notifications. */
  readonly wantsProgress: boolean;
  /** Reports progress; `progress` must rise with every call, message and total are for people. */
  reportProgress(progress: number, message?: string, total?: number): void;
  /** Sends a log message to the client, if it asked for logs of this level. */
  log(level: McpLogLevel, data: JsonValue, logger?: string): void;
  /** What the client declared that it can do. */
  readonly clientCapabilities: JsonObject;
  /** The client's answers to what `inputRequired` asked for, by its keys; empty in the first round. */
  readonly inputResponses: Readonly<Record<string, JsonObject>>;
  /** The state that `inputRequired` gave to the client, verified; `undefined` in the first round. */
  readonly requestState: JsonValue | undefined;
  /**
   * Asks the person, unless they allowed exactly this before. Rejects with an AppError whose sentence is the answer for the client:
   * denied, still waiting, or forbidden by the policy. Resolves with `afterSaving` only if the act names unsaved files.
   */
  confirm(act: ActRequest): Promise<ActPermission>;
  /**
   * Opens a question of the tool's own, such as a diff review, or joins it if an identical call (with the same `key`) has opened
   * it. After a while it rejects with "waiting for approval in VS Code" although the question stays open: an identical retry then
   * gets the answer. The signal of `ask` fires when nobody wants the answer any more.
   */
  joinQuestion<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Waits, like `joinQuestion`, for what others decide about a call of a server that the person offers. Rejects if the policy or the
   * role does not allow the call, also when that changed while the question was open.
   */
  decideElsewhere<T>(call: OfferedDecision<T>): Promise<T>;
  /** Whether the policy hides a tool from the client, whatever its arguments are. */
  hides(tool: Tool): boolean;
}

/** All log levels, the least severe first. */
const logLevels: readonly McpLogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** The log level of a legacy client that never set one. */
export const defaultLogLevel: McpLogLevel = 'info';

export function isLogLevel(value: unknown): value is McpLogLevel {
  return (logLevels as readonly unknown[]).includes(value);
}

export function isAtLeast(level: McpLogLevel, least: McpLogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
