import * as z from 'zod';
import { abortError } from '../../../base/abort.ts';
import type { ActRequest } from '../../access/clientApproval.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { CallContext } from '../catalog/catalog.ts';
import { fitItems } from './answers.ts';
import type { EditorCall } from './tool.ts';

/** How often progress is reported while a tool works. */
const pulseMs = 5_000;

/**
 * How long a call without progress notifications is kept open. Such clients usually give up after 30 seconds, so they are answered
 * before that, and the work goes on.
 */
export const silentPatienceMs = 25_000;

interface LongWork<T> {
  readonly ended: Promise<T>;
  /** What progress notifications say; it is read anew for each of them. */
  readonly message: string;
  readonly stop: () => void;
  readonly timeLimit?: number | undefined;
}

/**
 * Waits for work that takes long: reports progress to a client that asked for it, and stops the work when the call is cancelled.
 * When `timeLimit` is over, the work is stopped and the result is `undefined`. A client that gets no progress is answered with
 * `goesOn` before it gives up, and the work continues.
 */
export async function follow<T>(call: CallContext, work: LongWork<T>): Promise<T | 'goesOn' | undefined> {
  if (call.wantsProgress) {
    return followToTheEnd(call, work);
  }
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<'goesOn'>((resolve) => {
    timer = setTimeout(() => resolve('goesOn'), silentPatienceMs);
  });
  try {
    return await followToTheEnd<T | 'goesOn'>(call, { ...work, ended: Promise.race([work.ended, patience]) });
  } finally {
    clearTimeout(timer);
  }
}

async function followToTheEnd<T>(call: CallContext, work: LongWork<T>): Promise<T | undefined> {
  const { signal } = call;
  const timers = new Set<NodeJS.Timeout>();
  let beats = 0;
  if (call.wantsProgress) {
    timers.add(setInterval(() => call.reportProgress((beats += 1), work.message), pulseMs));
  }
  let onAbort: (() => void) | undefined;
  const cancelled = new Promise<'cancelled'>((resolve) => {
    onAbort = (): void => resolve('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const late = new Promise<'late'>((resolve) => {
    if (work.timeLimit !== undefined) {
      timers.add(setTimeout(() => resolve('late'), work.timeLimit));
    }
  });
  try {
    const ended = work.ended.then((value) => ({ value }));
    const first = signal.aborted ? 'cancelled' : await Promise.race([ended, cancelled, late]);
    if (typeof first === 'object') {
      return first.value;
    }
    work.stop();
    if (first === 'cancelled') {
      throw abortError('The request was cancelled.');
    }
    return undefined;
  } finally {
    for (const timer of timers) {
      clearTimeout(timer); // clears intervals, too
    }
    if (onAbort !== undefined) {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** The member of an answer that names the files whose unsaved text a run did not see. */
export const unsavedOutput = {
  unsaved: z.array(z.string()).describe('Files whose unsaved text the run did not see'),
};

/** The most characters for the names of unsaved files. */
const maxUnsavedChars = 3_000;

export interface BeforeRun {
  readonly unsaved: string[];
  /** How many more unsaved files there are than the answer has room for. */
  readonly note?: string | undefined;
}

/**
 * Asks the person about a run. A run sees only what is on disk, so the question names the unsaved files and offers to save them
 * first; if one of them cannot be saved, or the call is cancelled meanwhile, nothing runs. Files that became unsaved later are not
 * saved. Returns the files whose unsaved text the run will not see, without those that are withheld from this client.
 */
export async function confirmRun(act: ActRequest, { editor, call }: EditorCall): Promise<BeforeRun> {
  const { paths, withheld } = editor.unsaved.list();
  const unsaved = [...paths, ...withheld];
  const permission = await call.confirm({ ...act, ...(unsaved.length > 0 && { unsaved }) });
  call.signal.throwIfAborted();
  if (permission !== 'asItIs') {
    const left = await editor.unsaved.save(permission.afterSaving);
    if (left.paths.length + left.withheld.length > 0) {
      // The sentence names no file: if it named only those the client may see, an empty list would reveal that a withheld one
      // exists.
      throw clientError('server.notAllSaved');
    }
    call.signal.throwIfAborted();
  }
  return withinBounds(editor.unsaved.list().paths);
}

function withinBounds(paths: readonly string[]): BeforeRun {
  const unsaved = [...fitItems(paths, maxUnsavedChars, (path) => path, 0)];
  const more = paths.length - unsaved.length;
  return { unsaved, ...(more > 0 && { note: `The run did not see the unsaved text of ${more} more files.` }) };
}

/** A line for models; no line if everything is saved. */
export function unsavedLines({ unsaved }: Pick<BeforeRun, 'unsaved'>): string[] {
  return unsaved.length === 0 ? [] : [`Not seen by the run, since unsaved: ${unsaved.join(', ')}`];
}
