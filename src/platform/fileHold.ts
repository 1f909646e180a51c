import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { hasCode } from '../base/errors.ts';
import type { Hold } from '../base/sharedFolder.ts';
import { withFileLock } from './fileLock.ts';
import { isAlive } from './livingProcess.ts';
import { writeOwnFile } from './ownFiles.ts';
import { readBounded } from './readBounded.ts';

const lockWaitMs = 5_000;
const signOfLifeMs = 10_000;
/** A computer that wakes up may be slow to say that its holders live. */
const staleMs = 30_000;
const maxBytes = 1_000;

interface Holder {
  readonly id: string;
  readonly machine: string;
  readonly pid: number;
}

/** Undefined while another one has it. A holder shows that it lives; one that has ended is pushed aside at once. */
export async function holdFile(file: string, window: string): Promise<Hold | undefined> {
  const id = `${window}/${randomUUID()}`;
  const isTaken = await withFileLock(`${file}.lock`, lockWaitMs, async () => {
    if ((await livingHolder(file)) !== undefined) {
      return false;
    }
    await writeOwnFile(file, JSON.stringify({ id, machine: hostname(), pid: process.pid } satisfies Holder), 0o600);
    return true;
  });
  return isTaken ? keep(file, id) : undefined;
}

/** Whether somebody else's window has it. */
export async function isHeldByOther(file: string, window: string): Promise<boolean> {
  const holder = await livingHolder(file);
  return holder !== undefined && !holder.id.startsWith(`${window}/`);
}

function keep(file: string, id: string): Hold {
  const isOurs = async (): Promise<boolean> => (await readHolder(file))?.id === id;
  const alive = setInterval(() => void showLife(file, isOurs).catch(() => undefined), signOfLifeMs);
  alive.unref();
  return {
    isStillOurs: isOurs,
    release: async () => {
      clearInterval(alive);
      await withFileLock(`${file}.lock`, lockWaitMs, async () => {
        if (await isOurs()) {
          await fs.rm(file, { force: true });
        }
      });
    },
  };
}

async function showLife(file: string, isOurs: () => Promise<boolean>): Promise<void> {
  if (await isOurs()) {
    const now = new Date();
    await fs.utimes(file, now, now);
  }
}

async function livingHolder(file: string): Promise<Holder | undefined> {
  const holder = await readHolder(file);
  const seen = await fs.stat(file).catch(() => undefined);
  if (holder === undefined || seen === undefined || Date.now() - seen.mtimeMs > staleMs) {
    return undefined;
  }
  // Of another machine only the signs of life tell: a home folder may be shared.
  return holder.machine === hostname() && !isAlive(holder.pid) ? undefined : holder;
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse((await readBounded(file, maxBytes))?.toString('utf8') ?? '');
    return isHolder(value) ? value : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

function isHolder(value: unknown): value is Holder {
  const holder = value as Partial<Holder> | null;
  return (
    typeof holder === 'object' && typeof holder?.id === 'string' && typeof holder.machine === 'string' && typeof holder.pid === 'number'
  );
}
