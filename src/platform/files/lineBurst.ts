import * as fs from 'node:fs';
import type { HeldLock } from './fileLock.ts';
import type { NewLines } from './rotatingLines.ts';

/** A burst is over when nothing was written for so long, in ms. */
const idleMs = 30;
/** How often, in ms, a burst looks whether another window waits for the lock. */
const lookMs = 25;

/** Why a burst should end. */
export type BurstEnd = 'idle' | 'waitedFor';

export interface BurstStart {
  readonly file: string;
  readonly sealFile: string;
  readonly lock: HeldLock;
  /** The last line of the file as it was left. */
  readonly lastLine: string;
  readonly seal: string;
  /** The size from which on the file is full. */
  readonly maxBytes: number;
  /** When one line takes longer to write, it was the last one of this burst. */
  readonly maxHeldUpMs: number;
  /** Replaces the seals in the file by this one. */
  readonly replaceSeal: (seal: string) => Promise<void>;
  /** Called when the burst should end: nobody has written for a while, or another window waits. */
  readonly onDue: (burst: LineBurst, why: BurstEnd) => void;
}

/**
 * A LineBurst keeps the lock while lines follow each other closely, with what is known of the file meanwhile. A line then costs one
 * look at whether all is as it was left, and two short writes: first the seals of the line before and of this one, then the line. A
 * window that is killed between them, or before it gives the lock back, leaves both seals, and the file ends at the one or the other.
 */
export class LineBurst {
  readonly #start: BurstStart;
  readonly #lines: number;
  readonly #seals: number;
  readonly #inode: number;
  readonly #look: NodeJS.Timeout;
  #size: number;
  #sealBytes = 0;
  #lastLine: string;
  #seal: string;
  #lastUse = performance.now();
  #isSlow = false;
  #isDue = false;
  #hasFailed = false;
  #misplaced: Buffer | undefined;

  /** Throws what the system says when the files cannot be opened. */
  constructor(start: BurstStart) {
    this.#start = start;
    this.#lastLine = start.lastLine;
    this.#seal = start.seal;
    this.#lines = fs.openSync(start.file, 'a+');
    try {
      this.#seals = fs.openSync(start.sealFile, 'r+');
    } catch (error) {
      fs.closeSync(this.#lines);
      throw error;
    }
    const { ino, size } = fs.fstatSync(this.#lines);
    this.#inode = ino;
    this.#size = size;
    // This timer also keeps the process alive until the lock is given back, because others would wait for it.
    this.#look = setInterval(() => void this.#lookAround(), lookMs);
  }

  /** Whether a line took so long to write that the next ones should not block this window. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** What was written after another window had got the lock; it may stand after lines that it does not follow. */
  get misplaced(): Buffer | undefined {
    return this.#misplaced;
  }

  /** Writes lines; false when the lock or the file is no longer what it was, and then the lines have to be written in another way. Throws when the disk refuses them. */
  append(make: (last: string) => NewLines): boolean {
    const begun = performance.now();
    if (this.#hasFailed || this.#isSlow || this.#size >= this.#start.maxBytes || !this.#isOurs(this.#size)) {
      return false;
    }
    const { lines, seal } = make(this.#lastLine);
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    try {
      this.#writeSeals(`${this.#seal}\n${seal}`);
      // While the disk stands still for long, this window loses the lock, and another one goes on with the file.
      if (this.#isHeldUp(begun) && !this.#isOurs(this.#size)) {
        this.#hasFailed = true;
        return false;
      }
      writeWhole(this.#lines, bytes, null);
    } catch (error) {
      this.#hasFailed = true;
      this.#takeBack(bytes);
      throw error;
    }
    if (this.#isHeldUp(begun) && !this.#isOurs(this.#size + bytes.length)) {
      this.#hasFailed = true;
      this.#misplaced = bytes;
      return false;
    }
    this.#size += bytes.length;
    this.#lastLine = lines.at(-1) ?? this.#lastLine;
    this.#seal = seal;
    this.#lastUse = performance.now();
    return true;
  }

  /** Whether writing has taken too long; then no further line is written in this burst. */
  #isHeldUp(begun: number): boolean {
    this.#isSlow ||= performance.now() - begun > this.#start.maxHeldUpMs;
    return this.#isSlow;
  }

  /**
   * Leaves only the seal of the last line, and lets the next window write. It throws, with the lock given back, when the system
   * says only now that something was not written, as it does where files are on another computer.
   */
  async end(): Promise<void> {
    clearInterval(this.#look);
    // A look that is still under way must not call `onDue` any more.
    this.#isDue = true;
    const { lock, replaceSeal } = this.#start;
    try {
      closeAll([this.#lines, this.#seals]);
      if (!this.#hasFailed && (await lock.isHeld())) {
        // The lines are written, and the two seals are as good as one.
        await replaceSeal(this.#seal).catch(() => undefined);
      }
    } finally {
      await lock.release();
    }
  }

  async #lookAround(): Promise<void> {
    const isIdle = performance.now() - this.#lastUse > idleMs;
    if ((isIdle || (await this.#start.lock.isWaitedFor())) && !this.#isDue) {
      this.#isDue = true;
      clearInterval(this.#look);
      this.#start.onDue(this, isIdle ? 'idle' : 'waitedFor');
    }
  }

  /** Whether the lock is held and the file as this window left it. It is not when it was moved or replaced: what is written to it would be lost. */
  #isOurs(size: number): boolean {
    const now = this.#start.lock.isHeldNow() ? fs.statSync(this.#start.file, { throwIfNoEntry: false }) : undefined;
    return now?.ino === this.#inode && now.size === size;
  }

  #writeSeals(text: string): void {
    const bytes = Buffer.from(text);
    writeWhole(this.#seals, bytes, 0);
    // All our seals have one length; those that others left may have another.
    if (bytes.length !== this.#sealBytes) {
      fs.ftruncateSync(this.#seals, bytes.length);
      this.#sealBytes = bytes.length;
    }
  }

  /** Takes back what a full disk has taken of these bytes, and nothing else: another window may have gone on meanwhile. */
  #takeBack(bytes: Buffer): void {
    try {
      const { size } = fs.fstatSync(this.#lines);
      const part = Buffer.alloc(Math.min(Math.max(0, size - this.#size), bytes.length));
      fs.readSync(this.#lines, part, 0, part.length, this.#size);
      if (bytes.subarray(0, part.length).equals(part) && this.#isOurs(this.#size + part.length)) {
        fs.ftruncateSync(this.#lines, this.#size);
        this.#writeSeals(this.#seal);
      }
    } catch {
      // The next window that writes takes away what is not whole.
    }
  }
}

/** Closes every file, whatever becomes of the others; throws the first failure. */
function closeAll(files: readonly number[]): void {
  const failures: unknown[] = [];
  for (const file of files) {
    try {
      fs.closeSync(file);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
}

function writeWhole(file: number, bytes: Buffer, position: number | null): void {
  for (let done = 0; done < bytes.length;) {
    done += fs.writeSync(file, bytes, done, bytes.length - done, position === null ? null : position + done);
  }
}
