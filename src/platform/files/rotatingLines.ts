import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { holdFileLock, maxLookMs, withFileLock, type HeldLock, type IsHeld } from './fileLock.ts';
import { LineBurst, type BurstEnd } from './lineBurst.ts';

/** How long, in ms, the lock is waited for: longer than a dead window keeps it. */
const lockWaitMs = 15_000;
/** How much of the end of a file is read to find its last line; no line is longer. */
const tailBytes = 128 * 1024;
/** How many seals are kept of windows that died while they wrote, one after the other. */
const maxSeals = 3;
/** How long, in ms, one line may block this window: so short that nobody notices. */
const maxHeldUpMs = 50;
/** For how long, in ms, lines are written without a burst after the disk was slow or failed once. */
const carefulMs = 10_000;
/** The longest such time, in ms, when the disk is slow or fails again and again. */
const maxCarefulMs = 10 * 60_000;

export interface RotatingLimits {
  /** A file that has grown beyond this becomes an older part, and a new one is begun. */
  readonly maxBytes: number;
  /** How many parts are kept, with the one that is written to. */
  readonly maxParts: number;
  /** A disk that takes longer than this for one line is not written to synchronously any more: see `LineBurst`. */
  readonly maxHeldUpMs?: number | undefined;
}

/**
 * Makes new lines of the last line there is, in whichever part, and of the seals that are kept beside the file. Without seals no other
 * program had the file since this one wrote the last line.
 */
export type MakeLines = (last: string | undefined, seals?: string) => NewLines;

export interface NewLines {
  readonly lines: readonly string[];
  /** Says which line is the last. It is kept beside the file, because no later line vouches for the last one. */
  readonly seal: string;
}

export interface LinesOfPart {
  /** The name of the part's file. */
  readonly name: string;
  readonly lines: readonly string[];
}

export interface ReadLines {
  readonly parts: readonly LinesOfPart[];
  readonly seal: string | undefined;
  /** Whether no part was deleted yet. */
  readonly hasAll: boolean;
}

/** RotatingLines is a file of lines that several windows append to; older parts are `name.1.jsonl`, `name.2.jsonl` and so on. */
export class RotatingLines {
  readonly #file: string;
  readonly #limits: RotatingLimits;
  readonly #order = new Sequencer();
  #pending = 0;
  #burst: LineBurst | undefined;
  #isClosed = false;
  #carefulUntil = 0;
  #carefulMs = carefulMs;
  #misplaced: Buffer | undefined;
  /** Lines that were taken for written may not be. This is reported with the next line, which is not written then. */
  #lateFailure: { readonly error: unknown } | undefined;

  constructor(file: string, limits: RotatingLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Appends all the lines that are made, or none. */
  async append(make: MakeLines): Promise<void> {
    if (this.#pending > 0 || this.#burst?.append(make) !== true) {
      await this.#inOrder(() => this.#beginBurst(make));
    }
  }

  /** Reads all parts and the seal of the last line at one moment, oldest line first. */
  async read(): Promise<ReadLines> {
    return this.#inOrder(async () => {
      await this.#endBurst();
      return this.#readAll();
    });
  }

  /** Gives the file back to other windows now; otherwise they can have it a moment after the last line. */
  async rest(): Promise<void> {
    await this.#inOrder(() => this.#endBurst());
  }

  /** Gives the file back for good: no lock is kept between the lines that still come, because nobody may be there to give it back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.rest();
  }

  async #readAll(): Promise<ReadLines> {
    if ((await this.parts()).length === 0) {
      return { parts: [], seal: await this.#readSeal(), hasAll: true };
    }
    return withFileLock(this.#lockFile, lockWaitMs, async () => {
      const parts: LinesOfPart[] = [];
      for (const part of await this.parts()) {
        const text = await fs.readFile(part, 'utf8');
        // What follows the last line end was never written whole.
        parts.push({ name: path.basename(part), lines: text.split('\n').slice(0, -1) });
      }
      return { parts, seal: await this.#readSeal(), hasAll: parts.length < this.#limits.maxParts };
    });
  }

  /** Runs one piece of work at a time: a burst that ends must not be written to. */
  async #inOrder<T>(work: () => Promise<T>): Promise<T> {
    this.#pending += 1;
    try {
      return await this.#order.run(work);
    } finally {
      this.#pending -= 1;
    }
  }

  /** Writes the lines with all care, and keeps the lock for those that may follow. */
  async #beginBurst(make: MakeLines): Promise<void> {
    // While this call waited, another one may have begun a burst.
    if (this.#burst?.append(make) === true) {
      return;
    }
    await this.#endBurst();
    this.#throwLateFailure();
    await fs.mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    let written: NewLines | undefined;
    while (written === undefined) {
      const lock = await holdFileLock(this.#lockFile, lockWaitMs);
      try {
        await this.#removeMisplaced();
        const last = await this.#makeRoom();
        const seals = (await this.#readSeal()) ?? '';
        const wanted = make(last, seals);
        // It is written again when this window slept and another one has written meanwhile.
        written = (await this.#write(wanted, seals, () => lock.isHeld())) ? wanted : undefined;
        if (written !== undefined && !this.#isClosed && performance.now() >= this.#carefulUntil) {
          this.#burst = this.#openBurst(lock, written);
        }
      } finally {
        if (this.#burst === undefined) {
          await lock.release();
        }
      }
    }
  }

  /** Opens a burst; undefined where something is in its way, and then the next line is written with all care. */
  #openBurst(lock: HeldLock, { lines, seal }: NewLines): LineBurst | undefined {
    const lastLine = lines.at(-1);
    if (lastLine === undefined) {
      return undefined;
    }
    try {
      return new LineBurst({
        lock,
        file: this.#file,
        sealFile: this.#sealFile,
        lastLine,
        seal,
        maxBytes: this.#limits.maxBytes,
        maxHeldUpMs: this.#limits.maxHeldUpMs ?? maxHeldUpMs,
        replaceSeal: (text) => this.#writeSeal(text),
        onDue: (burst, why) => void this.#inOrder(() => this.#endDue(burst, why)).catch(() => undefined),
      });
    } catch {
      return undefined;
    }
  }

  async #endDue(burst: LineBurst, why: BurstEnd): Promise<void> {
    // While this call waited, another burst may have begun.
    if (this.#burst !== burst) {
      return;
    }
    await this.#endBurst();
    if (why === 'waitedFor') {
      // Whoever waits looks again within this time, and would otherwise find the lock taken once more.
      await new Promise((resolve) => setTimeout(resolve, maxLookMs + 10));
    }
  }

  async #endBurst(): Promise<void> {
    const burst = this.#burst;
    this.#burst = undefined;
    this.#misplaced ??= burst?.misplaced;
    let isBad = burst?.isSlow === true;
    try {
      await burst?.end();
    } catch (error) {
      this.#lateFailure = { error };
      isBad = true;
    }
    if (isBad) {
      this.#carefulUntil = performance.now() + this.#carefulMs;
      this.#carefulMs = Math.min(this.#carefulMs * 2, maxCarefulMs);
    } else if (burst !== undefined) {
      this.#carefulMs = carefulMs;
    }
  }

  /** Takes away what this window wrote after it had lost the lock, but only at the very end of the file: no line follows it, and nobody was told that it is written. */
  async #removeMisplaced(): Promise<void> {
    const bytes = this.#misplaced;
    this.#misplaced = undefined;
    const { size } = bytes === undefined ? { size: 0 } : await fs.stat(this.#file).catch(() => ({ size: 0 }));
    if (bytes === undefined || size < bytes.length) {
      return;
    }
    const handle = await fs.open(this.#file, 'r+');
    try {
      const { buffer } = await handle.read(Buffer.alloc(bytes.length), 0, bytes.length, size - bytes.length);
      if (buffer.equals(bytes)) {
        await handle.truncate(size - bytes.length);
      }
    } finally {
      await handle.close();
    }
  }

  #throwLateFailure(): void {
    const failure = this.#lateFailure;
    this.#lateFailure = undefined;
    if (failure !== undefined) {
      throw failure.error;
    }
  }

  /** Writes the seal, the lines, and the seal alone. A window that dies on the way leaves both seals, and the file ends at the one or at the other. */
  async #write({ lines, seal }: NewLines, seals: string, isHeld: IsHeld): Promise<boolean> {
    const before = seals
      .split('\n')
      .filter((each) => each !== '')
      .slice(-maxSeals);
    if (!(await isHeld())) {
      return false;
    }
    await this.#writeSeal([...before, seal].join('\n'));
    const { size } = await fs.stat(this.#file).catch(() => ({ size: 0 }));
    try {
      await fs.appendFile(this.#file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    } catch (error) {
      // A full disk may have taken a part of the lines.
      if (await isHeld()) {
        await fs.truncate(this.#file, size).catch(() => undefined);
        await this.#writeSeal(before.join('\n')).catch(() => undefined);
      }
      throw error;
    }
    // The lines are written, and the two seals are as good as one.
    await this.#writeSeal(seal).catch(() => undefined);
    return true;
  }

  /** Replaces the seal whole, so that a full disk leaves the one that was there. */
  async #writeSeal(seal: string): Promise<void> {
    const temporary = `${this.#sealFile}.${randomUUID()}.tmp`;
    try {
      await fs.writeFile(temporary, seal, { flag: 'wx', mode: 0o600 });
      await fs.rename(temporary, this.#sealFile);
    } catch (error) {
      await fs.rm(temporary, { force: true });
      throw error;
    }
  }

  async #readSeal(): Promise<string | undefined> {
    return fs.readFile(this.#sealFile, 'utf8').catch(() => undefined);
  }

  /** Returns the files of all parts, oldest first. */
  async parts(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let index = this.#limits.maxParts - 1; index >= 0; index -= 1) {
      const part = this.#part(index);
      if (await exists(part)) {
        found.push(part);
      }
    }
    return found;
  }

  /** Returns the last line, and begins a new part if need be. A line that a killed window left unfinished is taken away: nobody was told of it. */
  async #makeRoom(): Promise<string | undefined> {
    const tail = await lastLine(this.#file);
    if (tail.tornAt !== undefined) {
      await fs.truncate(this.#file, tail.tornAt);
    }
    if (tail.size >= this.#limits.maxBytes) {
      await this.#rotate();
    }
    return tail.line ?? (await lastLine(this.#part(1))).line;
  }

  async #rotate(): Promise<void> {
    for (let index = this.#limits.maxParts - 1; index > 0; index -= 1) {
      if (await exists(this.#part(index - 1))) {
        await fs.rename(this.#part(index - 1), this.#part(index));
      }
    }
  }

  get #lockFile(): string {
    return `${this.#file}.lock`;
  }

  get #sealFile(): string {
    return `${this.#file}.seal`;
  }

  #part(index: number): string {
    const { dir, name, ext } = path.parse(this.#file);
    return index === 0 ? this.#file : path.join(dir, `${name}.${index}${ext}`);
  }
}

interface Tail {
  readonly size: number;
  readonly line?: string | undefined;
  /** Where the unfinished last line begins, if there is one. */
  readonly tornAt?: number | undefined;
}

async function lastLine(file: string): Promise<Tail> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return { size: 0 };
    }
    throw error;
  }
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const bytes = buffer.subarray(0, bytesRead);
    const end = bytes.lastIndexOf(0x0a);
    const start = end <= 0 ? 0 : bytes.lastIndexOf(0x0a, end - 1) + 1;
    const line = end < 0 ? undefined : bytes.toString('utf8', start, end);
    return { size, line, ...(end + 1 < bytes.length && { tornAt: from + end + 1 }) };
  } finally {
    await handle.close();
  }
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
