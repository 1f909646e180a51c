import type { JsonObject } from '../base/json.ts';
import type { Role } from '../contract/questions/rolesAndClaims.ts';

/** The surfaces of Duplex's own that call tools. Grants are never shared between them. Persisted: additive only. */
const ownPrincipals = ['chat', 'palette', 'task', 'command'] as const;
export type OwnPrincipal = (typeof ownPrincipals)[number];

/** Who wants something: the host itself, one of its own surfaces, or an outside credential. */
export type Principal = 'host' | OwnPrincipal | `client:${string}`;

export function isOwnPrincipal(value: unknown): value is OwnPrincipal {
  return ownPrincipals.some((principal) => principal === value);
}

export function isPrincipal(value: unknown): value is Principal {
  return value === 'host' || isOwnPrincipal(value) || (typeof value === 'string' && /^client:./.test(value));
}

/** Persisted: additive only. */
export type Action =
  | 'startServer'
  | 'callTool'
  | 'connectClient'
  | 'seeRoots'
  | 'useModel'
  | 'askPerson'
  /** An outside client does something in the editor. */
  | 'clientAct'
  /** A surface of Duplex's own does something in the editor. */
  | 'ownAct'
  /** An outside client sees what is withheld from all. */
  | 'seeWithheld'
  /** A client of this side, with its secret, is used at an authorization server. */
  | 'useIssuer'
  /** The chat uses the tools of the editor that only look, all of them. */
  | 'seeEditor'
  /** What a server's resource or prompt gives becomes part of the conversation. */
  | 'sendContent';

/** Where a remembered answer holds. Persisted: additive only. */
export type AnswerScope = 'session' | 'workspace' | 'always';

export interface ConsentRequest {
  readonly principal: Principal;
  readonly action: Action;
  /** A path from wide to narrow: `['server', SERVER_ID, 'tool', NAME]`. A stored deny covers everything below it. */
  readonly subject: readonly string[];
  /** Of exactly what the person is shown; an allow counts only for the same one. */
  readonly fingerprint: string;
  /** What was fingerprinted, without secret values: shown as a difference when it changes. */
  readonly material: JsonObject;
}

export interface Answer {
  readonly id: string;
  readonly principal: Principal;
  readonly action: Action;
  readonly subject: readonly string[];
  readonly answer: 'allow' | 'deny';
  readonly scope: AnswerScope;
  /** Set exactly for scope `workspace`. */
  readonly workspace?: string | undefined;
  readonly fingerprint: string;
  readonly material: JsonObject;
  /** ISO 8601. */
  readonly since: string;
  /** When it last settled a question, to the nearest ten minutes. */
  readonly lastUsed?: string | undefined;
  /** The one given with `connectClient`. */
  readonly role?: Role | undefined;
  /** The same for answers that the person gave as one; they are shown and revoked as one. */
  readonly group?: string | undefined;
}

export type Verdict =
  | { readonly kind: 'allow'; readonly answer: Answer }
  | { readonly kind: 'deny'; readonly answer: Answer }
  /** `previous` is what the person allowed before, when it has changed since. */
  | { readonly kind: 'ask'; readonly why: 'new' | 'changed'; readonly previous?: JsonObject };

/** Pure: no clock, no storage, no dialog. A deny stands until revoked; an allow counts only for what was shown. */
export function decide(request: ConsentRequest, answers: readonly Answer[]): Verdict {
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
 * For a wish that a wider question covers: `exact` is what is wanted, `wide` what is asked about. A refusal of either stands, an
 * allow of either is enough.
 */
export function decideWithin(exact: ConsentRequest, wide: ConsentRequest, answers: readonly Answer[]): Verdict {
  const asked = decide(wide, answers);
  const verdicts = [decide(exact, answers), asked];
  return verdicts.find(({ kind }) => kind === 'deny') ?? verdicts.find(({ kind }) => kind === 'allow') ?? asked;
}

/** Answers of different widths stand in different places, so their order says nothing. */
function latestOf(answers: readonly Answer[]): Answer | undefined {
  return answers.reduce<Answer | undefined>(
    (latest, next) => (latest === undefined || next.since >= latest.since ? next : latest),
    undefined,
  );
}

/** A deny covers its subject and all below it; an allow exactly its subject. */
function covers(answer: Answer, request: ConsentRequest): boolean {
  if (answer.principal !== request.principal || answer.action !== request.action) {
    return false;
  }
  const isPrefix = answer.subject.every((step, index) => step === request.subject[index]);
  return isPrefix && (answer.answer === 'deny' || answer.subject.length === request.subject.length);
}
