import { hasCode } from '../../base/errors.ts';
import { editorError } from '../shared/editorErrors.ts';

/** For what a resource answers too: reads have 10 s, and the answer has to be made of it. */
export const readMs = 9_000;
/** For a step of a call that takes two. */
export const halfCallMs = 12_000;
export const callMs = 25_000;

/**
 * Gives all steps of one call this much time together: then their signal aborts, and says why. Every step has to mind it, so
 * that one which has a part of the answer by then can give that.
 */
export async function withTimeLimit<T>(limitMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const onAbort = (): void => limit.abort(signal.reason);
  const timer = setTimeout(() => limit.abort(editorError('language.tooSlow')), limitMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Not: the client lost interest. */
export function isTimeUp(signal: AbortSignal): boolean {
  return signal.aborted && hasCode(signal.reason, 'language.tooSlow');
}

/** `instead` for those that did not answer in time; rejects if that is all of them. */
export async function thoseInTime<T>(asked: readonly Promise<T>[], instead: T, signal: AbortSignal): Promise<T[]> {
  let late = 0;
  const inTime = async (answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!isTimeUp(signal)) {
        throw error;
      }
      late += 1;
      return instead;
    }
  };
  const answers = await Promise.all(asked.map(inTime));
  if (late > 0 && late === asked.length) {
    throw signal.reason;
  }
  return answers;
}
