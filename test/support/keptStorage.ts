import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { DisposableStore } from '../../src/base/lifecycle.ts';
import { silentLog } from '../../src/base/log.ts';
import { SharedFile } from '../../src/platform/files/sharedFile.ts';
import { createTemporaryFolder, removeTemporaryFolder } from './run/temporaryFolder.mjs';

/** Written by the packaged extension 0.1.0 in a real window; `README.md` beside it says by which acts. Its tokens are long dead. */
export const keptFolder = path.resolve(import.meta.dirname, '../fixtures/kept/0.1.0');

/** Gives each test a copy of what version 0.1.0 kept: readers set a file aside that they cannot read, and the fixture stays as it is. */
export function useKeptStorage(): {
  readonly storage: () => string;
  readonly lifetime: () => DisposableStore;
  readonly open: (name: string) => Promise<SharedFile>;
} {
  let storage = '';
  let lifetime: DisposableStore;
  beforeEach(async () => {
    storage = createTemporaryFolder();
    lifetime = new DisposableStore();
    await fs.cp(path.join(keptFolder, 'globalStorage'), storage, { recursive: true });
  });
  afterEach(async () => {
    lifetime.dispose();
    await removeTemporaryFolder(storage);
  });
  const open = async (name: string): Promise<SharedFile> => lifetime.add(await SharedFile.open(path.join(storage, name), silentLog));
  return { storage: () => storage, lifetime: () => lifetime, open };
}
