import { isAppError, messageOf, sentencesOf, type ErrorTable } from '../../base/errors.ts';
import { authSentences } from './authSentences.ts';
import { chatSentences } from './chatSentences.ts';
import { connectionSentences } from './connectionSentences.ts';
import { hostSentences } from './hostSentences.ts';
import type { Translate } from './translate.ts';
import { viewSentences } from './viewSentences.ts';

/** One table per room below; a code stands in one of them at most. */
function tablesOf(t: Translate): readonly ErrorTable[] {
  return [chatSentences(t), hostSentences(t), connectionSentences(t), authSentences(t), viewSentences(t)];
}

/** What people read about a failure, in their language. What is not ours keeps its own words. */
export function sentenceOf(error: unknown, t: Translate): string {
  if (!isAppError(error)) {
    return messageOf(error);
  }
  const table = tablesOf(t).find((each) => Object.hasOwn(each, error.code));
  return table === undefined ? error.message : sentencesOf(table)(error.code, error.args);
}
