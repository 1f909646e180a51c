import * as z from 'zod';
import type { ActRequest } from '../../access/actRequest.ts';
import { clientError } from '../../errors/clientErrors.ts';
import type { EditorCall } from './tool.ts';

/** What a run on disk did not see, as the client is told it. */
export const unsavedOutput = {
  unsaved: z.array(z.string()).describe('Files whose unsaved text the run did not see'),
};

export interface BeforeRun {
  readonly unsaved: string[];
}

/**
 * Asks about a run, which sees only what is on disk: the question names what is unsaved, and the person may have that saved
 * first. Then nothing runs unless all of it could be. Says what the run will not see, of what the client may see: what is withheld
 * from it is as if it were not there.
 */
export async function confirmRun(act: ActRequest, { editor, call }: EditorCall): Promise<BeforeRun> {
  const { paths, withheld } = editor.unsaved.list();
  const unsaved = [...paths, ...withheld];
  const permission = await call.confirm({ ...act, ...(unsaved.length > 0 && { unsaved }) });
  if (permission === 'afterSaving') {
    const left = await editor.unsaved.saveAll();
    if (left.paths.length + left.withheld.length > 0) {
      // The same sentence for all: one without a name would tell that something is withheld.
      throw clientError('server.notAllSaved');
    }
  }
  return { unsaved: [...editor.unsaved.list().paths] };
}

/** A line for models; none when all was saved. */
export function unsavedLines({ unsaved }: Pick<BeforeRun, 'unsaved'>): string[] {
  return unsaved.length === 0 ? [] : [`Not seen by the run, since unsaved: ${unsaved.join(', ')}`];
}
