import type { Answer, ConsentRequest, Verdict } from './consentModel.ts';

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
