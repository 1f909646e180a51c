import * as z from 'zod';
import type { ActRequest } from '../../access/actRequest.ts';
import { clientError } from '../../errors/clientErrors.ts';
import type { UnsavedFiles } from '../../seen/ports/unsavedPort.ts';
import type { EditorCall } from './tool.ts';

/** What a run on disk did not see, as the client is told it. */
export const unsavedOutput = {
  unsaved: z.array(z.string()).describe('Files whose unsaved text the run did not see'),
};

export interface BeforeRun {
  readonly unsaved: string[];
  /** About those the client may not see. */
  readonly note?: string | undefined;
}

/**
 * Asks about a run, which sees only what is on disk: the question names what is unsaved, and the person may have that saved
 * first. Then nothing runs unless all of it could be; what came since is not saved. Says what the run will not see.
 */
export async function confirmRun(act: ActRequest, { editor, call }: EditorCall): Promise<BeforeRun> {
  const { paths, withheld } = editor.unsaved.list();
  const unsaved = [...paths, ...withheld];
  const permission = await call.confirm({ ...act, ...(unsaved.length > 0 && { unsaved }) });
  if (permission !== 'asItIs') {
    const left = await editor.unsaved.save(permission.afterSaving);
    if (left.paths.length + left.withheld.length > 0) {
      throw clientError('server.notAllSaved', { files: inWords(left) });
    }
  }
  return describe(editor.unsaved.list());
}

/** A line for models; none when all was saved. */
export function unsavedLines({ unsaved }: Pick<BeforeRun, 'unsaved'>): string[] {
  return unsaved.length === 0 ? [] : [`Not seen by the run, since unsaved: ${unsaved.join(', ')}`];
}

function describe({ paths, withheld }: UnsavedFiles): BeforeRun {
  return {
    unsaved: [...paths],
    ...(withheld.length > 0 && { note: `The run did not see the unsaved text of ${counted(withheld.length)} that you may not see.` }),
  };
}

function inWords({ paths, withheld }: UnsavedFiles): string {
  const named = paths.map((path) => `"${path}"`);
  return [...named, ...(withheld.length > 0 ? [`${counted(withheld.length)} that you may not see`] : [])].join(', ');
}

function counted(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
