import * as z from 'zod';
import type { ActRequest } from '../../access/actRequest.ts';
import { clientError } from '../../errors/clientErrors.ts';
import { fitItems } from './budget.ts';
import type { EditorCall } from './tool.ts';

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
