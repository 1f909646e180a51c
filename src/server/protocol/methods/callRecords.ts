import { isAbort, isAppError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { AuditLog, AuditRecord } from '../../../consent/audit/auditLog.ts';
import { editorServerName } from '../../../contract/identity.ts';
import type { AccessRefusal } from '../../access/clientAccess.ts';
import type { Viewer, WireCredential } from '../../seen/viewer.ts';
import { isRpcError } from '../rpc/rpc.ts';
import type { Method } from './methodDispatch.ts';

/** The audit log, for the calls of outside clients. The chat's own calls are recorded by the chat. */
export type CallRecords = Pick<AuditLog, 'write' | 'note'>;

export interface RecordedCall {
  readonly action: 'callTool' | 'readResource' | 'getPrompt';
  /** One of our own names, never a text of the client. */
  readonly subject: string;
  readonly arguments?: unknown;
  /** Whether the call may change something; then decisions about it are recorded separately. */
  readonly acts?: boolean;
  /** Whether another server carries it out: then whoever asks that server records the call, and only refusals are recorded here. */
  readonly isOfOtherServer?: boolean | undefined;
}

const deciders = { denied: 'person', role: 'role', policy: 'policy' } as const;

/** Wraps a method so that its calls are recorded when they end. */
export function recorded(
  records: CallRecords | undefined,
  describe: (params: JsonObject, viewer: Viewer) => RecordedCall,
  method: Method,
): Method {
  return async (params, request) => {
    const record = new CallRecord(records, describe(params, request.viewer), request.viewer);
    try {
      const result = await method(params, request);
      record.ended('succeeded');
      return result;
    } catch (error) {
      record.failed(error);
      throw error;
    }
  };
}

/** Records what the person decided about a change, even if the client is gone. */
export function noteReview(records: CallRecords | undefined, viewer: Viewer, key: string, answer: unknown): void {
  const outcome = isRejected(answer) ? 'denied' : 'allowed';
  records?.note({ ...whose(viewer), action: 'reviewChange', subject: toolOf(key), decidedBy: 'person', outcome });
}

/** Returns the tool of a review; its key begins with the name of the tool. */
function toolOf(key: string): string {
  const [tool]: unknown[] = JSON.parse(key) as unknown[];
  return typeof tool === 'string' ? tool : '';
}

/** Whether the person rejected a change, or all files of a proposal. */
function isRejected(answer: unknown): boolean {
  if (!isJsonObject(answer)) {
    return false;
  }
  const { outcome, files } = answer;
  return outcome === undefined && Array.isArray(files)
    ? files.length > 0 && files.every((file) => isJsonObject(file) && file.outcome === 'rejected')
    : outcome === 'rejected';
}

function whose({ credential, callsItself }: Viewer): Pick<AuditRecord, 'principal' | 'credential' | 'peer'> {
  return credential.kind === 'chat'
    ? { principal: 'chat', peer: editorServerName }
    : { principal: principalOf(credential), credential: credential.id, peer: callsItself };
}

const principals = new WeakMap<WireCredential, string>();

/** Returns the principal of a credential. It is the same string object for all calls, because comparing new strings is expensive. */
function principalOf(credential: WireCredential): string {
  const known = principals.get(credential);
  if (known !== undefined) {
    return known;
  }
  const principal = `client:${credential.id}`;
  principals.set(credential, principal);
  return principal;
}

/** Records one call. */
export class CallRecord {
  readonly #records: CallRecords | undefined;
  readonly #call: RecordedCall;
  readonly #viewer: Viewer;
  readonly #started = performance.now();

  /** The chat's own calls are not recorded here, because the chat records them. */
  constructor(records: CallRecords | undefined, call: RecordedCall, viewer: Viewer) {
    this.#records = viewer.credential.kind === 'chat' ? undefined : records;
    this.#call = call;
    this.#viewer = viewer;
  }

  /** Records the call before anything is done; rejects if that fails. */
  async begins(): Promise<void> {
    if (this.#call.isOfOtherServer === true) {
      return;
    }
    await this.#records?.write(this.#line('nobody', 'started', undefined));
  }

  refused({ reason }: Pick<AccessRefusal, 'reason'>): void {
    // Calls beyond the rate limit are not recorded: a flood would push everything else out of the log.
    if (reason === 'waiting') {
      this.#note('nobody', 'waiting');
    } else if (reason !== 'rateLimited') {
      this.#note(deciders[reason], 'denied');
    }
  }

  ended(ending: 'succeeded' | 'failed', output?: object): void {
    if (this.#call.isOfOtherServer === true) {
      return;
    }
    if (isRejected(output)) {
      this.#note('person', 'denied');
    } else {
      this.#note(this.#allowedBy(), ending);
    }
  }

  failed(error: unknown): void {
    const reason = isRpcError(error) && isJsonObject(error.data) ? error.data.reason : refusalOf(error);
    // What the person denies at the gate of another server is recorded there.
    if (reason === 'denied' && this.#call.isOfOtherServer === true) {
      return;
    }
    if (reason === 'waiting' || reason === 'denied' || reason === 'role' || reason === 'policy' || reason === 'rateLimited') {
      this.refused({ reason });
    } else if (this.#call.isOfOtherServer !== true) {
      this.#note(this.#allowedBy(), isAbort(error) ? 'cancelled' : 'failed');
    }
  }

  #note(decidedBy: AuditRecord['decidedBy'], outcome: AuditRecord['outcome']): void {
    this.#records?.note(this.#line(decidedBy, outcome, performance.now() - this.#started));
  }

  #allowedBy(): AuditRecord['decidedBy'] {
    return this.#call.acts === true ? 'nobody' : 'role';
  }

  #line(decidedBy: AuditRecord['decidedBy'], outcome: AuditRecord['outcome'], durationMs: number | undefined): AuditRecord {
    const { action, subject, arguments: args } = this.#call;
    const { principal, credential, peer } = whose(this.#viewer);
    return {
      principal,
      credential,
      peer,
      action,
      subject,
      arguments: isJsonObject(args) ? args : undefined,
      decidedBy,
      outcome,
      durationMs,
    };
  }
}

/** Which refusal an error stands for. */
export function refusalOf(error: unknown): AccessRefusal['reason'] | undefined {
  const code = isAppError(error) ? error.code : '';
  const reasons: Readonly<Record<string, AccessRefusal['reason']>> = {
    'server.denied': 'denied',
    'server.deniedBefore': 'denied',
    'server.commandDenied': 'denied',
    'server.policy': 'policy',
    'server.policyMalformed': 'policy',
    'server.role': 'role',
    'server.roleBeyondToken': 'role',
    'server.waiting': 'waiting',
    'server.stillWaiting': 'waiting',
    'server.waitingAfterDenial': 'waiting',
  };
  return reasons[code];
}
