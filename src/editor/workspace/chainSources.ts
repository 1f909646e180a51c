import * as path from 'node:path';
import { readBounded } from '../../platform/readBounded.ts';
import type { ChainSources } from '../../testRuns/chain/runChain.ts';
import { editorError } from '../shared/editorErrors.ts';

const maxMebibytes = 4;

/** What package managers read when they run a script: the files on disk, whatever is open in the editor. */
export const chainSources: ChainSources = {
  readFile: async (folder, name) => {
    const file = path.join(folder, name);
    try {
      const bytes = await readBounded(file, maxMebibytes * 1024 * 1024);
      if (bytes === undefined) {
        throw editorError('editor.tooLarge', { path: file, limit: maxMebibytes });
      }
      return bytes.toString('utf8');
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw error;
    }
  },
  resolveFolder: (from, to) => path.resolve(from, to),
};

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
