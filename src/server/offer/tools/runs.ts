import * as z from 'zod';
import { abortError } from '../../../base/abort.ts';
import type { ActRequest } from '../../access/clientApproval.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { CallContext } from '../catalog/catalog.ts';
import { fitItems } from './answers.ts';
import type { EditorCall } from './tool.ts';

const pulseMs = 5_000;

/** A client that hears of no progress gives up on a call soon after this; the work goes on. */
export const silentPatienceMs = 25_000;

interface LongWork<T> {
  readonly ended: Promise<T>;
  /** Read at every pulse. */
  readonly message: string;
  readonly stop: () => void;
  readonly timeLimit?: number | undefined;
}

/**
 * Follows work that takes its time: says that it goes on to those who asked for progress, and stops it when the call is
 * cancelled. `timeLimit` stops it too and ends the wait with `undefined`; for those who hear of no progress the wait ends
 * with `goesOn` before they lose patience.
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
      clearTimeout(timer); // of an interval too
    }
    if (onAbort !== undefined) {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** What a run on disk did not see, as the client is told it. */
export const unsavedOutput = {
  unsaved: z.array(z.string()).describe('Files whose unsaved text the run did not see'),
};

const maxUnsavedChars = 3_000;

export interface BeforeRun {
  readonly unsaved: string[];
  /** About those that there is no room for. */
  readonly note?: string | undefined;
}

/**
 * Asks about a run, which sees only what is on disk: the question names what is unsaved, and the person may have that saved
 * first. Then nothing runs unless all of it could be; what came since is not saved. Says what the run will not see, of what the
 * client may see: what is withheld from it is as if it were not there.
 */
export async function confirmRun(act: ActRequest, { editor, call }: EditorCall): Promise<BeforeRun> {
  const { paths, withheld } = editor.unsaved.list();
  const unsaved = [...paths, ...withheld];
  const permission = await call.confirm({ ...act, ...(unsaved.length > 0 && { unsaved }) });
  if (permission !== 'asItIs') {
    const left = await editor.unsaved.save(permission.afterSaving);
    if (left.paths.length + left.withheld.length > 0) {
      // The same sentence for all: one without a name would tell that something is withheld.
      throw clientError('server.notAllSaved');
    }
  }
  return withinBounds(editor.unsaved.list().paths);
}

function withinBounds(paths: readonly string[]): BeforeRun {
  const unsaved = [...fitItems(paths, maxUnsavedChars, (path) => path, 0)];
  const more = paths.length - unsaved.length;
  return { unsaved, ...(more > 0 && { note: `The run did not see the unsaved text of ${more} more files.` }) };
}

/** A line for models; none when all was saved. */
export function unsavedLines({ unsaved }: Pick<BeforeRun, 'unsaved'>): string[] {
  return unsaved.length === 0 ? [] : [`Not seen by the run, since unsaved: ${unsaved.join(', ')}`];
}
