import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { ActPermission, ActRequest } from '../../access/actRequest.ts';
import type { Viewer } from '../../seen/viewer.ts';

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
