import type { JsonObject } from '../base/json.ts';
import type { Role } from '../contract/questions/rolesAndClaims.ts';

/** The parts of Duplex itself that call tools. A permission for one of them does not hold for another. Persisted: additive only. */
const ownPrincipals = ['chat', 'palette', 'task', 'command'] as const;
export type OwnPrincipal = (typeof ownPrincipals)[number];

/** Who wants something: the host itself, another part of Duplex, or an outside client, by its credential. */
export type Principal = 'host' | OwnPrincipal | `client:${string}`;

export function isOwnPrincipal(value: unknown): value is OwnPrincipal {
  return ownPrincipals.some((principal) => principal === value);
}

export function isPrincipal(value: unknown): value is Principal {
  return value === 'host' || isOwnPrincipal(value) || (typeof value === 'string' && /^client:./.test(value));
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
  | 'sendContent';

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
}

export interface RememberedAnswer {
  readonly id: string;
  readonly principal: Principal;
  readonly action: Action;
  readonly subject: readonly string[];
  readonly answer: 'allow' | 'deny';
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
  /** The same for answers that the person gave together; they are shown and revoked together. */
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
  const allowed = latestOf(related.filter((answer) => answer.fingerprint === request.fingerprint));
  if (allowed !== undefined) {
    return { kind: 'allow', answer: allowed };
  }
  const latest = latestOf(related);
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

/** The latest answer by its time: the order of the list says nothing, because answers of several scopes are joined. */
function latestOf(answers: readonly RememberedAnswer[]): RememberedAnswer | undefined {
  return answers.reduce<RememberedAnswer | undefined>(
    (latest, next) => (latest === undefined || next.since >= latest.since ? next : latest),
    undefined,
  );
}

/** Whether an answer is about a request: a deny covers its subject and all below it, an allow exactly its subject. */
function covers(answer: RememberedAnswer, request: ConsentRequest): boolean {
  if (answer.principal !== request.principal || answer.action !== request.action) {
    return false;
  }
  const isPrefix = answer.subject.every((step, index) => step === request.subject[index]);
  return isPrefix && (answer.answer === 'deny' || answer.subject.length === request.subject.length);
}
