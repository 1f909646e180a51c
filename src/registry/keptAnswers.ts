import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { once } from '../base/late.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/errors.ts';
import { ownFolder, readBounded, writeOwnFile } from '../platform/files/ownFiles.ts';

/** The most bytes of the file of a kept answer; a larger one is not read. */
const maxAnswerBytes = 5 * 1024 * 1024;
/** The most answers that are kept; the oldest are removed. */
const maxKept = 40;
/** The most bytes of all kept answers together; the oldest are removed. */
const maxKeptBytes = 16 * 1024 * 1024;

const keptAnswer = once(() => z.object({ url: z.string(), at: z.number(), text: z.string() }));

/** An answer of a registry, as it came. */
export interface KeptAnswer {
  readonly at: number;
  readonly text: string;
}

/**
 * Answers of registries in files, so that a window that is opened again has the last ones. Each is a file; whatever cannot be read is
 * as good as none, and where nothing can be written things go on without.
 */
export class KeptAnswers {
  readonly #folder: string;
  readonly #log: Log;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  async read(url: string): Promise<KeptAnswer | undefined> {
    try {
      const bytes = await readBounded(this.#fileOf(url), maxAnswerBytes);
      const { data } = keptAnswer().safeParse(JSON.parse(bytes?.toString('utf8') ?? 'null'));
      return data?.url === url ? data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps an answer, and lets the oldest go that are too many. It never rejects. */
  async write(url: string, answer: KeptAnswer): Promise<void> {
    try {
      await ownFolder(this.#folder);
      await writeOwnFile(this.#fileOf(url), JSON.stringify({ url, ...answer }), 0o600);
      await this.#letGo();
    } catch (error) {
      this.#log.warn(`An answer of the registry could not be kept: ${messageOf(error)}`);
    }
  }

  #fileOf(url: string): string {
    return path.join(this.#folder, `${createHash('sha256').update(url).digest('hex').slice(0, 40)}.json`);
  }

  async #letGo(): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.#folder)).map(async (name) => {
        const file = path.join(this.#folder, name);
        const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }));
        return { file, mtimeMs, size };
      }),
    );
    const newest = files.toSorted((one, other) => other.mtimeMs - one.mtimeMs);
    let bytes = 0;
    for (const [index, { file, size }] of newest.entries()) {
      bytes += size;
      if (index >= maxKept || bytes > maxKeptBytes) {
        await rm(file, { force: true });
      }
    }
  }
}
