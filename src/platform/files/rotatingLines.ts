import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { holdFileLock, maxLookMs, withFileLock, type HeldLock, type IsHeld } from './fileLock.ts';
import { LineBurst, type BurstEnd } from './lineBurst.ts';

/** Longer than a dead window keeps a lock. */
const lockWaitMs = 15_000;
/** More than a line ever has. */
const tailBytes = 128 * 1024;
/** Of windows that died while they wrote, one after the other. */
const maxSeals = 3;
/** As short as nobody notices that nothing else happened meanwhile. */
const maxHeldUpMs = 50;
/** How long a disk that was slow or failed once is taken for such a one. */
const carefulMs = 10_000;
/** And how long when it is so again and again. */
const maxCarefulMs = 10 * 60_000;

export interface RotatingLimits {
  /** A file that has grown beyond this is put aside, and a new one begun. */
  readonly maxBytes: number;
  /** With the one that is written to. */
  readonly maxParts: number;
  /** A disk that takes longer for one line is not waited for where nothing else can happen meanwhile: see `LineBurst`. */
  readonly maxHeldUpMs?: number | undefined;
}

export interface NewLines {
  readonly lines: readonly string[];
  /** Says which line is the last; kept beside the file, for the lines that no later one vouches for. */
  readonly seal: string;
}

export interface LinesOfPart {
  /** Of the file. */
  readonly name: string;
  readonly lines: readonly string[];
}

export interface ReadLines {
  readonly parts: readonly LinesOfPart[];
  readonly seal: string | undefined;
  /** Whether no part was let go of yet. */
  readonly hasAll: boolean;
}

/** A file of lines that several windows append to; older parts are `name.1.jsonl`, `name.2.jsonl` and so on. */
export class RotatingLines {
  readonly #file: string;
  readonly #limits: RotatingLimits;
  readonly #foundChanged = new Emitter<void>();
  #turn: Promise<void> = Promise.resolve();
  #turns = 0;
  #burst: LineBurst | undefined;
  #isClosed = false;
  #carefulUntil = 0;
  #carefulMs = carefulMs;
  #misplaced: Buffer | undefined;
  /** That lines which were taken for written may not be: told with the next one, which is not written. */
  #lateFailure: { readonly error: unknown } | undefined;

  constructor(file: string, limits: RotatingLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** The file is not as this window left it, though no other window could write: somebody has changed it by hand. */
  get onDidFindChanged(): Event<void> {
    return this.#foundChanged.event;
  }

  /** `make` is given the last line there is, in whichever part; all its lines are written, or none. */
  async append(make: (last: string | undefined) => NewLines): Promise<void> {
    if (this.#isTurnTaken || this.#burst?.append(make) !== true) {
      await this.#inTurn(() => this.#beginBurst(make));
    }
  }

  /** Reads all parts and the seal of the last line at one moment, oldest line first. */
  async read(): Promise<ReadLines> {
    return this.#inTurn(async () => {
      await this.#endBurst();
      return this.#readAll();
    });
  }

  /** Gives the file back to other windows now; otherwise they have it a moment after the last line. */
  async rest(): Promise<void> {
    await this.#inTurn(() => this.#endBurst());
  }

  /** The same, for good: no lock is kept over the lines that still come, as nobody may be there to give it back. */
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
        // What comes behind the last line end was never written whole.
        parts.push({ name: path.basename(part), lines: text.split('\n').slice(0, -1) });
      }
      return { parts, seal: await this.#readSeal(), hasAll: parts.length < this.#limits.maxParts };
    });
  }

  /** One at a time: a burst that ends must not be written to. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turn = ended;
    this.#turns += 1;
    try {
      return await turn;
    } finally {
      this.#turns -= 1;
    }
  }

  get #isTurnTaken(): boolean {
    return this.#turns > 0;
  }

  /** Writes with all care, and keeps the lock for the lines that may follow. */
  async #beginBurst(make: (last: string | undefined) => NewLines): Promise<void> {
    // While this one waited for its turn, somebody else may have begun.
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
        const wanted = make(await this.#makeRoom());
        // Again when this window slept over its turn: another one has written meanwhile.
        written = (await this.#write(wanted, () => lock.isHeld())) ? wanted : undefined;
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

  /** None where something is in its way: the next line is then written with all care. */
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
        onChanged: () => this.#foundChanged.fire(),
        onDue: (burst, why) => void this.#inTurn(() => this.#endDue(burst, why)).catch(() => undefined),
      });
    } catch {
      return undefined;
    }
  }

  async #endDue(burst: LineBurst, why: BurstEnd): Promise<void> {
    // Before it was this one's turn, another one may have begun.
    if (this.#burst !== burst) {
      return;
    }
    await this.#endBurst();
    if (why === 'waitedFor') {
      // Whoever waits looks within this time, and would else find the lock taken again.
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

  /** Only at the very end, under the lock: nobody was told that it is written, and no line follows it. */
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

  /** A window that dies on the way leaves both seals, and the file ends at the one or at the other. */
  async #write({ lines, seal }: NewLines, isHeld: IsHeld): Promise<boolean> {
    const before = (await this.#readSeal())?.split('\n').slice(-maxSeals) ?? [];
    if (!(await isHeld())) {
      return false;
    }
    await this.#writeSeal([...before, seal].join('\n'));
    const { size } = await fs.stat(this.#file).catch(() => ({ size: 0 }));
    try {
      await fs.appendFile(this.#file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    } catch (error) {
      // A full disk may have taken a part of it.
      if (await isHeld()) {
        await fs.truncate(this.#file, size).catch(() => undefined);
        await this.#writeSeal(before.join('\n')).catch(() => undefined);
      }
      throw error;
    }
    // What is written is written: both seals do as well.
    await this.#writeSeal(seal).catch(() => undefined);
    return true;
  }

  /** Replaced whole: a full disk leaves the one that was there. */
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

  /** The parts there are, oldest first. */
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

  /** The last line; what a killed window left of one, which nobody was told of, is taken away. */
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
  /** Where a line begins that has no end. */
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
