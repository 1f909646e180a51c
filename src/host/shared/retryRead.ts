import { setTimeout as sleep } from 'node:timers/promises';
import type { AppError } from '../../base/errors.ts';
import type { HostErrorCode } from './hostErrors.ts';

const pausesMs = [200, 800] as const;
const transient: ReadonlySet<string> = new Set<HostErrorCode>(['host.unavailable', 'host.answerLost']);

/**
 * For what only reads: lists, resources, prompts. Asked again when the failure was the moment's. A tool call must never
 * come through here: it may have done its work before its answer was lost.
 */
export async function retryRead<T>(read: () => Promise<T>, failureOf: (error: unknown) => AppError, signal: AbortSignal): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || !transient.has(failureOf(error).code)) {
        throw error;
      }
      await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal, ref: false });
    }
  }
  return read();
}
