import { isAbort } from '../base/errors.ts';
import type { Ask } from '../consent/consentGate.ts';
import { hostError } from './shared/hostErrors.ts';

/** Asks about a call for as long as there is a server to carry it out: a yes to one that is gone would do nothing. */
export function askWhileRunning(ask: Ask, server: string, closed: Promise<unknown>): Ask {
  return async (question, signal) => {
    const gone = new AbortController();
    void closed.then(() => gone.abort());
    try {
      return await ask(question, AbortSignal.any([signal, gone.signal]));
    } catch (error) {
      if (isAbort(error) && gone.signal.aborted && !signal.aborted) {
        throw hostError('host.notRunning', { server });
      }
      throw error;
    }
  };
}
