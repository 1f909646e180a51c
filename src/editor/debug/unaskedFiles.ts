import { access } from 'node:fs/promises';
import * as path from 'node:path';
import type { JsonObject } from '../../base/json.ts';

/**
 * The files out of which a debugger takes variables without being told to: that of Python reads `.env` in the folder where its
 * configuration names no other file. They may change after a configuration was allowed.
 */
export async function filesReadUnasked({ type, envFile }: JsonObject, folder: string | undefined): Promise<readonly string[]> {
  if ((type !== 'debugpy' && type !== 'python') || envFile !== undefined || folder === undefined) {
    return [];
  }
  const isThere = await access(path.join(folder, '.env')).then(
    () => true,
    () => false,
  );
  return isThere ? ['envFile .env'] : [];
}
