import { unreachable } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Choice } from '../contract/questions/questions.ts';
import type { Role } from '../contract/questions/rolesAndClaims.ts';
import { coversCall, type CallFacts, type CallRule } from './callRules.ts';

/** The parts of Duplex itself that call tools. A permission for one of them does not hold for another. Persisted: additive only. */
const ownPrincipals = ['chat', 'palette', 'task', 'command', 'traffic'] as const;
/**
 * A part of Duplex that calls tools: `palette` is a tab of Run Tool, `command` whoever calls `duplex.runTool`, and `traffic` is “Send
 * again” in the view of protocol messages.
 */
export type OwnPrincipal = (typeof ownPrincipals)[number];

/** Who wants something: the host itself, another part of Duplex, an outside client, by its credential, or an app of a server. */
export type Principal = 'host' | OwnPrincipal | `client:${string}` | AppPrincipal;

/** An app, by the id of the server that it came from. */
export type AppPrincipal = `app:${string}`;

export function isOwnPrincipal(value: unknown): value is OwnPrincipal {
  return ownPrincipals.some((principal) => principal === value);
}

export function isPrincipal(value: unknown): value is Principal {
  return value === 'host' || isOwnPrincipal(value) || (typeof value === 'string' && /^(?:client|app):./.test(value));
}

/** What is wanted. Persisted: additive only. */
export type Action =
  | 'startServer'
  | 'callTool'
  | 'connectClient'
  | 'seeRoots'
  | 'useModel'
  | 'askPerson'
  /** An outside client does something in the editor. */
  | 'clientAct'
  /** A part of Duplex itself does something in the editor. */
  | 'ownAct'
  /** An outside client sees a file that is withheld from all clients. */
  | 'seeWithheld'
  /** A client registration of Duplex, with its secret, is used at an authorization server. */
  | 'useIssuer'
  /** The chat uses all tools of the editor that only read. */
  | 'seeEditor'
  /** The content of a server's resource or prompt becomes part of the conversation. */
  | 'sendContent'
  /** The page that a server gave to a tool is shown. */
  | 'showApp'
  /** An app that is shown does something outside of its frame. */
  | 'appAct';

/** Where a remembered answer holds. Persisted: additive only. */
export type AnswerScope = 'session' | 'workspace' | 'always';

export interface ConsentRequest {
  readonly principal: Principal;
  readonly action: Action;
  /**
   * What it is about, as a path from wide to narrow: `['server', SERVER_ID, 'tool', NAME]`. A stored deny covers everything below its
   * subject.
   */
  readonly subject: readonly string[];
  /** The fingerprint of exactly what the person is shown; an allow counts only for the same fingerprint. */
  readonly fingerprint: string;
  /** What was fingerprinted, without secret values; when it changes, the person is shown the difference. */
  readonly material: JsonObject;
  /** What rules look at in the call that is wanted. Without it no rule covers the request. */
  readonly call?: CallFacts | undefined;
}

/** `allowWhen` is an allow for the calls that a rule covers. Its own name keeps versions that know no rules from taking it for more. */
export type RememberedKind = 'allow' | 'deny' | 'allowWhen';

export interface RememberedAnswer {
  readonly id: string;
  readonly principal: Principal;
  readonly action: Action;
  readonly subject: readonly string[];
  readonly answer: RememberedKind;
  /** Which calls are allowed; set only with `allowWhen`. */
  readonly rule?: CallRule | undefined;
  readonly scope: AnswerScope;
  /** The workspace in which it holds; set only for the scope `workspace`. */
  readonly workspace?: string | undefined;
  readonly fingerprint: string;
  readonly material: JsonObject;
  /** When it was given, as ISO 8601. */
  readonly since: string;
  /** When it last settled a question, to the nearest ten minutes. */
  readonly lastUsed?: string | undefined;
  /** The role that was given to a client with `connectClient`. */
  readonly role?: Role | undefined;
  /** An id that answers have in common which the person gave together; they are shown and revoked together. */
  readonly group?: string | undefined;
}

export type ConsentVerdict =
  | { readonly kind: 'allow'; readonly answer: RememberedAnswer }
  | { readonly kind: 'deny'; readonly answer: RememberedAnswer }
  /** The person has to be asked. `previous` is what they allowed before, when it has changed since. */
  | { readonly kind: 'ask'; readonly why: 'new' | 'changed'; readonly previous?: JsonObject };

/**
 * What remembered answers say about a request. Pure: no clock, no storage, no dialog. A deny stands until it is revoked; an allow
 * counts only for what was shown.
 */
export function decide(request: ConsentRequest, answers: readonly RememberedAnswer[]): ConsentVerdict {
  const related = answers.filter((answer) => covers(answer, request));
  const refusal = related.find((answer) => answer.answer === 'deny');
  if (refusal !== undefined) {
    return { kind: 'deny', answer: refusal };
  }
  const same = related.filter((answer) => answer.fingerprint === request.fingerprint);
  const allowed = latestOf(same.filter((answer) => allowsCall(answer, request.call)));
  if (allowed !== undefined) {
    return { kind: 'allow', answer: allowed };
  }
  // A rule about other calls of the same definition says nothing about what has changed.
  const others = related.filter((answer) => !same.includes(answer));
  const latest = latestOf(others.filter((answer) => !isElsewhere(answer, request))) ?? latestOf(others);
  return latest === undefined ? { kind: 'ask', why: 'new' } : { kind: 'ask', why: 'changed', previous: latest.material };
}

/**
 * Decides when the question is wider than what is wanted: `exact` is what is wanted, `wide` what is asked about. A refusal of either
 * stands; an allow of either is enough.
 */
export function decideWithin(exact: ConsentRequest, wide: ConsentRequest, answers: readonly RememberedAnswer[]): ConsentVerdict {
  const asked = decide(wide, answers);
  const verdicts = [decide(exact, answers), asked];
  return verdicts.find(({ kind }) => kind === 'deny') ?? verdicts.find(({ kind }) => kind === 'allow') ?? asked;
}

function allowsCall({ answer, rule }: RememberedAnswer, call: CallFacts | undefined): boolean {
  return answer === 'allow' || (rule !== undefined && call !== undefined && coversCall(rule, call));
}

/** A press of Run in a tab of Run Tool. By then everything that it covers was in view, and it counts for this one call. */
export interface RunPress {
  /** The fingerprint of the definition that the tab showed. */
  readonly definition: string;
  /** The fingerprint of the arguments that the tab showed. */
  readonly arguments: string;
}

/**
 * Whether a press of Run settles a call on which the remembered answers gave `verdict`. It stands for an answer only where nobody was
 * asked before: a refusal stands, and a definition that is not the allowed one any more is asked about, with the difference. It covers a
 * call of the tab itself, and no other definition or arguments than those that were shown. Pure, like `decide`.
 */
export function isSettledByPress(request: ConsentRequest, args: string, press: RunPress, verdict: ConsentVerdict): boolean {
  const isNew = verdict.kind === 'ask' && verdict.why === 'new';
  const isOfTab = request.principal === 'palette' && request.action === 'callTool';
  return isNew && isOfTab && press.definition === request.fingerprint && press.arguments === args;
}

/** The latest answer by its time: the order of the list says nothing, because answers of several scopes are joined. */
function latestOf(answers: readonly RememberedAnswer[]): RememberedAnswer | undefined {
  return answers.reduce<RememberedAnswer | undefined>(
    (latest, next) => (latest === undefined || next.since >= latest.since ? next : latest),
    undefined,
  );
}

/**
 * The latest allow about the same subject, whatever was shown then; one for the same folder, if there is one. It allows nothing by
 * itself.
 */
export function lastAllowed(
  request: Pick<ConsentRequest, 'principal' | 'action' | 'subject' | 'material'>,
  answers: readonly RememberedAnswer[],
): RememberedAnswer | undefined {
  const same = ({ principal, action, subject }: RememberedAnswer): boolean =>
    principal === request.principal && action === request.action && subject.join('\0') === request.subject.join('\0');
  const allows = answers.filter((answer) => answer.answer === 'allow' && same(answer));
  return latestOf(allows.filter((answer) => !isElsewhere(answer, request))) ?? latestOf(allows);
}

/**
 * Whether an answer for everywhere is about a start in another folder than the one that is wanted. A person's own server runs in every
 * project: each folder has its own answer, and none takes the place of another. Nothing is allowed by that: an allow still counts only
 * for exactly what was shown.
 */
export function isElsewhere(answer: RememberedAnswer, { action, material }: Pick<ConsentRequest, 'action' | 'material'>): boolean {
  const isStart = answer.action === 'startServer' && action === 'startServer';
  return isStart && answer.scope === 'always' && answer.material['cwd'] !== material['cwd'];
}

/** Whether the person has ever allowed a server to start. */
export function hasAllowedAny(answers: readonly RememberedAnswer[]): boolean {
  return answers.some(({ action, answer }) => action === 'startServer' && answer === 'allow');
}

/** Whether an answer is about a request: a deny covers its subject and all below it, an allow exactly its subject. */
function covers(answer: RememberedAnswer, request: ConsentRequest): boolean {
  if (!isOfSame(answer, request) || answer.action !== request.action) {
    return false;
  }
  const isPrefix = answer.subject.every((step, index) => step === request.subject[index]);
  return isPrefix && (answer.answer === 'deny' || answer.subject.length === request.subject.length);
}

/** “Send again” once went under the name of Run Tool: what was refused to that for good stays refused to it. */
function isOfSame({ principal, answer }: RememberedAnswer, request: ConsentRequest): boolean {
  return principal === request.principal || (answer === 'deny' && principal === 'palette' && request.principal === 'traffic');
}

/**
 * What a choice means. A plain "Deny" refuses this one request and is not remembered; a plain "Allow" holds until the fingerprint
 * changes.
 */
export function meaningOf(choice: Exclude<Choice, 'allowWhen'>): { readonly allows: boolean; readonly scope?: AnswerScope } {
  switch (choice) {
    case 'allow':
    case 'allowAlways':
      return { allows: true, scope: 'always' };
    case 'allowOnce':
    case 'raiseRole':
    case 'saveAndRun':
      return { allows: true };
    case 'allowSession':
      return { allows: true, scope: 'session' };
    case 'allowWorkspace':
      return { allows: true, scope: 'workspace' };
    case 'deny':
    case 'cancel':
    case 'newConversation':
      return { allows: false };
    case 'denyAlways':
      return { allows: false, scope: 'always' };
    default:
      return unreachable(choice);
  }
}
