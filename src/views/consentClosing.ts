import type { Question } from '../contract/questions.ts';

/** One answer often leads to the next question: a panel that closes and opens again would only flicker. */
const closingMs = 1_500;

/**
 * Pure. How long the panel stays when nothing is asked in it any more. `asked`: since something was. A call that the person made
 * themselves goes on where they made it, and the panel covers that.
 */
export function closingDelay(asked: readonly Question[], isAnswered: boolean): number {
  const [only, ...others] = asked;
  const isOwnCall = only?.takesFocus === true && only.detail.kind === 'callTool';
  return isAnswered && isOwnCall && others.length === 0 ? 0 : closingMs;
}
