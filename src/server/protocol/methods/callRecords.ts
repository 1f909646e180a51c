import type { AuditLog, AuditRecord } from '../../../consent/audit/auditLog.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { AccessRefusal } from '../../access/clientAccess.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { isRpcError } from '../rpc/rpc.ts';
import type { Method } from './lists.ts';

/** The calls of outside clients, for the record. The chat's own link is recorded where the chat calls. */
export type CallRecords = Pick<AuditLog, 'write' | 'note'>;

export interface RecordedCall {
  readonly action: 'callTool' | 'readResource' | 'getPrompt';
  readonly subject: string;
  readonly arguments?: unknown;
}

type Ending = 'succeeded' | 'failed' | 'cancelled';

const decidedBy = { waiting: 'nobody', denied: 'person', role: 'role', policy: 'policy' } as const;

/** A method whose calls are recorded when they have ended. */
export function recorded(
  records: CallRecords | undefined,
  action: RecordedCall['action'],
  subjectOf: (params: JsonObject) => unknown,
  method: Method,
): Method {
  return async (params, request) => {
    const record = new CallRecord(records, { action, subject: String(subjectOf(params)), arguments: params.arguments }, request);
    try {
      const result = await method(params, request);
      record.ended('succeeded');
      return result;
    } catch (error) {
      const reason = isRpcError(error) && isJsonObject(error.data) ? error.data.reason : undefined;
      if (typeof reason === 'string' && reason in decidedBy) {
        record.refused({ reason: reason as keyof typeof decidedBy });
      } else {
        record.ended('failed');
      }
      throw error;
    }
  };
}

/** One call on its way into the record. */
export class CallRecord {
  readonly #records: CallRecords | undefined;
  readonly #common: Omit<AuditRecord, 'decidedBy' | 'outcome'>;
  readonly #signal: AbortSignal;
  readonly #started = performance.now();

  constructor(records: CallRecords | undefined, call: RecordedCall, { viewer, signal }: Pick<RequestContext, 'viewer' | 'signal'>) {
    const { credential, callsItself } = viewer;
    this.#records = credential.kind === 'chat' ? undefined : records;
    this.#signal = signal;
    this.#common = {
      principal: `client:${credential.id}`,
      credential: credential.id,
      peer: callsItself,
      action: call.action,
      subject: call.subject,
      ...(isJsonObject(call.arguments) && { arguments: call.arguments }),
    };
  }

  /** In the record before anything is done; rejects when it cannot be. */
  async actsNow(): Promise<void> {
    await this.#records?.write({ ...this.#common, decidedBy: 'role', outcome: 'allowed' });
  }

  /** What a limit turned away is not recorded: a client that floods would push everything else out of the record. */
  refused({ reason }: Pick<AccessRefusal, 'reason'>): void {
    if (reason === 'rateLimited') {
      return;
    }
    this.#records?.note({ ...this.#common, decidedBy: decidedBy[reason], outcome: 'denied', durationMs: this.#duration() });
  }

  ended(ending: Exclude<Ending, 'cancelled'>): void {
    const outcome: Ending = this.#signal.aborted ? 'cancelled' : ending;
    this.#records?.note({ ...this.#common, decidedBy: 'role', outcome, durationMs: this.#duration() });
  }

  #duration(): number {
    return performance.now() - this.#started;
  }
}
