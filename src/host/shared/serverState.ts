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

/** `thisEditor`: it is this window's own server, which would talk to itself. */
export type StopReason = 'neverStarted' | 'byUser' | 'needsConsent' | 'disabled' | 'thisEditor';

/** Everything in it but the revision is the server's own word. */
export interface ReadyState {
  readonly kind: 'ready';
  readonly serverName: string;
  readonly version: string;
  readonly protocolVersion: string;
  /** The names of what the server says it can do: `tools`, `resources`. */
  readonly capabilities: readonly string[];
  readonly instructions?: string | undefined;
  readonly icons?: readonly IconInfo[] | undefined;
}

/** A tool as its server describes it: claims, not facts. */
export interface ToolInfo {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly annotations: JsonObject | undefined;
  /** Whether a call of it may or must be a task (2025-11-25); not when it is left out. */
  readonly taskSupport?: 'optional' | 'required' | undefined;
  readonly icons?: readonly IconInfo[] | undefined;
}

/** A prompt, a resource and a template of resources as their server describes them: claims, not facts. */
export interface PromptInfo {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
}

export interface ResourceInfo {
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly mimeType: string | undefined;
  readonly size: number | undefined;
}

export interface ResourceTemplateInfo {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly mimeType: string | undefined;
}

export interface ServerSnapshot {
  readonly id: string;
  readonly name: string;
  /** What `runTool {server}` and people call it: unique. */
  readonly label: string;
  readonly scope: DefinitionScope | 'builtIn';
  /** Where it is configured, in words; empty for a built-in one. */
  readonly location: string;
  /** Whether values of the person's are kept for it. */
  readonly hasInputs: boolean;
  readonly state: ServerState;
  readonly tools: readonly ToolInfo[];
  readonly prompts: readonly PromptInfo[];
  readonly resources: readonly ResourceInfo[];
  readonly templates: readonly ResourceTemplateInfo[];
  readonly problems: readonly DefinitionProblem[];
}

export type Risk = CallToolQuestion['risk'];

/** Nothing is broken: the server only wants to know who the person is. */
export function needsSignIn({ state }: ServerSnapshot): boolean {
  return state.kind === 'failed' && state.error.code === 'host.unauthorized';
}

/** Nothing is broken: the person was not asked yet, or did not allow it. */
export function needsPermission({ state }: ServerSnapshot): boolean {
  return state.kind === 'stopped' && state.reason === 'needsConsent';
}

/** Whether the server can be told from which level on it sends messages for its log. Revision 2026-07-28 has no request for that. */
export function takesLogLevel({ state }: ServerSnapshot): boolean {
  return state.kind === 'ready' && state.capabilities.includes('logging') && state.protocolVersion < '2026-07-28';
}
