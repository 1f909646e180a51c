// sentences/: what the rooms below say by code and arguments, in the person's language: one table for each of theirs.
import { isAppError, messageOf, sentencesOf, type AppError, type ErrorTable } from '../../base/errors.ts';
import { auditSentences } from './auditSentences.ts';
import { authSentences } from './authSentences.ts';
import { chatSentences } from './chatSentences.ts';
import { serverSentences } from './serverSentences.ts';
import { definitionProblemSentences } from './definitionProblemSentences.ts';
import { definitionSentences } from './definitionSentences.ts';
import { platformSentences } from './platformSentences.ts';
import { settingErrorSentences } from './settingSentences.ts';
import { calledServerSentences, toolRunSentences } from './toolRunSentences.ts';
import { connectionSentences } from './connectionSentences.ts';
import { hostSentences } from './hostSentences.ts';
import type { Translate } from './translate.ts';
import { viewSentences } from './viewSentences.ts';

/** One table per room below; a code stands in one of them at most. */
function tablesOf(t: Translate): readonly ErrorTable[] {
  return [
    chatSentences(t),
    serverSentences(t),
    hostSentences(t),
    connectionSentences(t),
    authSentences(t),
    definitionSentences(t),
    definitionProblemSentences(t),
    platformSentences(t),
    settingErrorSentences(t),
    toolRunSentences(t),
    calledServerSentences(t),
    viewSentences(t),
    auditSentences(t),
  ];
}

/** What people read about a failure, in their language. What is not ours keeps its own words. */
export function sentenceOf(error: unknown, t: Translate): string {
  if (!isAppError(error)) {
    return messageOf(error);
  }
  const { code, message, args, cause } = error;
  // A reason that is a failure of ours has a sentence of its own.
  const isOurs = isAppError(cause) && args['reason'] === cause.message;
  return sentenceOfProblem({ code, message, args: isOurs ? { ...args, reason: sentenceOf(cause, t) } : args }, t);
}

/** A failure that was not thrown: what is wrong with a definition. */
export function sentenceOfProblem({ code, args, message }: Pick<AppError, 'code' | 'args' | 'message'>, t: Translate): string {
  const table = tablesOf(t).find((each) => Object.hasOwn(each, code));
  return table === undefined ? message : sentencesOf(table)(code, args);
}
