import { isJsonObject } from '../../base/json.ts';
import { editorServerName } from '../../contract/identity.ts';
import type { QuestionDetail } from '../../contract/questions/questions.ts';
import type { ConsentRequest } from '../consentModel.ts';
import type { AuditLog, AuditRecord } from './auditLog.ts';

/**
 * What was wanted. Four of the actions are not in the ledger: of `raiseRole` the role is remembered, of `callAllTools` each tool, of
 * `allowCallsWhen` the rule, and of `returnAnswer` nothing.
 */
export interface RecordedRequest extends Pick<ConsentRequest, 'principal' | 'subject' | 'material'> {
  readonly action: ConsentRequest['action'] | 'raiseRole' | 'callAllTools' | 'allowCallsWhen' | 'returnAnswer';
}

/** What is recorded of an answer for all tools: each tool by its name, with the fingerprint of what was shown. */
export function ofAllTools({ principal, subject }: ConsentRequest, covered: readonly ConsentRequest[]): RecordedRequest {
  const tools = covered.map((each) => [each.subject.at(-1) ?? '', each.fingerprint] as const);
  return { principal, action: 'callAllTools', subject, material: Object.fromEntries(tools) };
}

/** The names that a record needs when nobody was asked about a tool. Both are safe to show. */
export interface NamedTool {
  readonly kind: 'named';
  readonly server: string;
  readonly tool: string;
}

/** A decision that is to be recorded. */
export interface MadeDecision {
  readonly request: RecordedRequest;
  /** What the question says or would say, or only its names; undefined when nobody would have been asked. */
  readonly detail?: QuestionDetail | NamedTool | undefined;
  /** It only reads from the editor: its line may wait, and a failure to write it refuses nothing. */
  readonly isReading?: boolean | undefined;
  /** `cancelled`: the question was withdrawn before anybody answered it. */
  readonly outcome: 'allowed' | 'denied' | 'cancelled';
  readonly by: 'person' | 'ledger' | 'nobody';
}

/** Records a decision. Rejects when an allow cannot be written, because it must not take effect then. A refusal stands in any case. */
export async function recordDecision(log: Pick<AuditLog, 'write' | 'note'>, decision: MadeDecision): Promise<void> {
  const record = toRecord(decision);
  if (decision.outcome !== 'allowed' || decision.isReading === true) {
    log.note(record);
  } else {
    await log.write(record);
  }
}

function toRecord({ request, detail, outcome, by }: MadeDecision): AuditRecord {
  const { principal, action, subject, material } = request;
  const [kind = '', id = ''] = subject;
  return {
    principal,
    credential: principal.startsWith('client:') ? principal.slice('client:'.length) : undefined,
    peer: peerOf(detail) ?? (kind === editorServerName ? kind : id),
    action,
    // Only a name is recorded: what else a subject holds, such as a command line, counts as an argument.
    subject: action === 'callAllTools' ? '' : action === 'startServer' ? confinement(material) : nameIn(detail),
    arguments: hasArguments(action) ? material : undefined,
    decidedBy: by === 'ledger' ? 'remembered' : by,
    outcome,
  };
}

function hasArguments(action: RecordedRequest['action']): boolean {
  const withArguments: readonly RecordedRequest['action'][] = ['clientAct', 'ownAct', 'raiseRole', 'callAllTools', 'allowCallsWhen'];
  return withArguments.includes(action);
}

/** The word of the log for a confined server that reaches no host. */
export const noNetwork = 'no network';
/** The most characters of hosts that the log names. */
const maxHostsLength = 800;

/** Whether a server starts confined and which hosts it then reaches, in words of the log: `confined, no network`. */
function confinement(material: RecordedRequest['material']): string {
  const box = material['confined'];
  if (box === undefined) {
    return '';
  }
  const network = isJsonObject(box) ? box['network'] : undefined;
  const hosts = Array.isArray(network) ? network.filter((host) => typeof host === 'string') : [];
  return `confined, ${hosts.length === 0 ? noNetwork : hosts.join(' ').slice(0, maxHostsLength)}`;
}

function nameIn(detail: MadeDecision['detail']): string {
  if (detail?.kind === 'sendContent') {
    return detail.source.kind === 'resource' ? detail.source.uri : detail.source.name;
  }
  return detail !== undefined && 'tool' in detail ? detail.tool : '';
}

function peerOf(detail: MadeDecision['detail']): string | undefined {
  if (detail === undefined) {
    return undefined;
  }
  return 'server' in detail ? detail.server : 'callsItself' in detail ? detail.callsItself : undefined;
}
