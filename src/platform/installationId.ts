import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { randomUUID } from 'node:crypto';
import { hasCode } from '../base/errors.ts';
import { newSecret } from './randomSecrets.ts';

const fileName = 'installation.id';

/**
 * Names what is installed here, on this machine or in this container: random, made once and kept in `folder`. A host name
 * would not do: a container chooses its own, and two of them may have a workspace at the same path.
 */
export async function installationId(folder: string): Promise<string> {
  const file = path.join(folder, fileName);
  const known = await read(file);
  if (known !== undefined) {
    return known;
  }
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const made = `${file}.${randomUUID()}.tmp`;
  try {
    await fs.writeFile(made, newSecret(), { flag: 'wx', mode: 0o600 });
    await putThere(made, file);
    return (await read(file)) ?? newSecret();
  } finally {
    await fs.rm(made, { force: true });
  }
}

/** Of two windows that begin at once, the first one's stays. */
async function putThere(made: string, file: string): Promise<void> {
  try {
    await fs.link(made, file);
  } catch {
    // There is one by now; or what is there is damaged, or the file system knows no links.
    if ((await read(file)) === undefined) {
      await fs.rename(made, file);
    }
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    const text = await fs.readFile(file, 'utf8');
    return /^[\w-]{43}$/.test(text) ? text : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}
