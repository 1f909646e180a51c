import type { AppError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CallToolQuestion } from '../../contract/questions/toolQuestions.ts';
import type { DefinitionScope } from '../../contract/definitionSchemas.ts';
import type { DefinitionProblem } from '../../definitions/serverDefinition.ts';
import type { IconInfo } from './icons.ts';

export type ServerState =
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'starting'; readonly attempt: number }
  | ReadyState
  | { readonly kind: 'failed'; readonly error: AppError; readonly retryAt?: number };

/** Why a server does not run. `thisEditor`: the definition leads back to this window's own server, which would talk to itself. */
export type StopReason = 'neverStarted' | 'byUser' | 'needsConsent' | 'disabled' | 'thisEditor';

/** The state of a running server. Everything in it but the protocol version is the server's own claim. */
export interface ReadyState {
  readonly kind: 'ready';
  readonly serverName: string;
  readonly version: string;
  readonly protocolVersion: string;
  /** The names of the capabilities that the server declares: `tools`, `resources`. */
  readonly capabilities: readonly string[];
  readonly instructions?: string | undefined;
  readonly icons?: readonly IconInfo[] | undefined;
}

/** A tool as its server describes it. These are claims, not facts. */
export interface ToolInfo {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly annotations: JsonObject | undefined;
  /** Whether a call of this tool may or must run as a task (2025-11-25). Without the field it must not. */
  readonly taskSupport?: 'optional' | 'required' | undefined;
  readonly icons?: readonly IconInfo[] | undefined;
  readonly app?: ToolApp | undefined;
  /** The notes (`_meta`) that the server gave with it. */
  readonly meta?: JsonObject | undefined;
  /** The fingerprint of the app, where it is no tool of the server but one that its app offers while it is shown. */
  readonly page?: string | undefined;
}

/** What a tool declares about its page, and about who may call it. */
export interface ToolApp {
  /** The address of the page that shows what came of a call; a tool without one may still be meant for apps only. */
  readonly uri: string | undefined;
  readonly isForModel: boolean;
  readonly isForApp: boolean;
}

/** What an entry of a list has beside what is shown of it here. Nobody is asked about it, and no permission is bound to it. */
export interface EntryExtras {
  readonly icons?: readonly IconInfo[] | undefined;
  /** The notes (`_meta`) that the server gave with it. */
  readonly meta?: JsonObject | undefined;
}

/** A prompt as its server describes it. Like resources and templates below, these are claims, not facts. */
export interface PromptInfo extends EntryExtras {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
}

export interface ResourceInfo extends EntryExtras {
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly mimeType: string | undefined;
  readonly size: number | undefined;
  readonly annotations?: JsonObject | undefined;
}

export interface ResourceTemplateInfo extends EntryExtras {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly mimeType: string | undefined;
  readonly annotations?: JsonObject | undefined;
}

/** A skill: instructions for a model in files, the first of which is `uri`. */
export interface SkillInfo {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** The digest of each file, by its path within the skill; undefined where the server says that the files are made anew each time. */
  readonly digests: Readonly<Record<string, string>> | undefined;
}

export interface ServerSnapshot {
  readonly id: string;
  readonly name: string;
  /** The unique name that people use for the server, also in `runTool {server}`. */
  readonly label: string;
  readonly scope: DefinitionScope | 'builtIn';
  /** Where the server is configured, in words; empty for a built-in server. */
  readonly location: string;
  /** Whether the server's definition uses inputs, whose values are kept for it. */
  readonly hasInputs: boolean;
  /** How far the server reaches; undefined when it does not run confined. */
  readonly box?: BoxInfo | undefined;
  readonly state: ServerState;
  readonly tools: readonly ToolInfo[];
  readonly prompts: readonly PromptInfo[];
  readonly resources: readonly ResourceInfo[];
  readonly templates: readonly ResourceTemplateInfo[];
  readonly skills: readonly SkillInfo[];
  readonly problems: readonly DefinitionProblem[];
}

/** The box of a confined server. */
export interface BoxInfo {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hosts: readonly string[];
  /** The hosts that it wanted since its start and may not reach. */
  readonly wanted: readonly string[];
}

export type Risk = CallToolQuestion['risk'];

/** What a server wants beyond what the person granted. */
export interface ScopeWish {
  readonly serverId: string;
  /** A text of the server, which need not name any. */
  readonly scope: string | undefined;
}

/** Whether the server failed only because the person has to sign in. */
export function needsSignIn({ state }: ServerSnapshot): boolean {
  return state.kind === 'failed' && state.error.code === 'host.unauthorized';
}

/** Whether the server is stopped only because the person was not asked yet, or did not allow its start. */
export function needsPermission({ state }: ServerSnapshot): boolean {
  return state.kind === 'stopped' && state.reason === 'needsConsent';
}

/** Whether the server lets its client choose which log messages it sends. Revision 2026-07-28 has no request for that. */
export function takesLogLevel({ state }: ServerSnapshot): boolean {
  return state.kind === 'ready' && state.capabilities.includes('logging') && state.protocolVersion < '2026-07-28';
}
