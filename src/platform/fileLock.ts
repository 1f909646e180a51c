import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../base/errors.ts';
import { platformError } from './platformErrors.ts';

const staleMs = 10_000;
const signOfLifeMs = 2_000;

/** Runs `work` while no other window holds the same lock. A holder shows that it lives; one that died is pushed aside. */
export async function withFileLock<T>(lock: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  await take(lock, waitMs);
  const alive = setInterval(() => {
    const now = new Date();
    void fs.utimes(lock, now, now).catch(() => undefined);
  }, signOfLifeMs);
  alive.unref();
  try {
    return await work();
  } finally {
    clearInterval(alive);
    await fs.rm(lock, { recursive: true, force: true });
  }
}

/** Locks by name, as folders in a folder of their own. */
export class FolderLock {
  readonly #folder: string;
  readonly #waitMs: number;

  constructor(folder: string, waitMs: number) {
    this.#folder = folder;
    this.#waitMs = waitMs;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = createHash('sha256').update(name).digest('hex').slice(0, 32);
    return withFileLock(path.join(this.#folder, `${file}.lock`), this.#waitMs, work);
  }
}

/** A folder made is a lock taken. */
async function take(lock: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      await fs.mkdir(lock);
      return;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) {
        throw error;
      }
    }
    await breakStale(lock);
    if (performance.now() > deadline) {
      throw platformError('storage.locked', { file: path.basename(lock, '.lock') });
    }
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 30));
  }
}

async function breakStale(lock: string): Promise<void> {
  const made = await fs.stat(lock).catch(() => undefined);
  if (made !== undefined && Date.now() - made.mtimeMs > staleMs) {
    await fs.rm(lock, { recursive: true, force: true });
  }
}
