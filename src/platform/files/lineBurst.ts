import * as fs from 'node:fs';
import type { HeldLock } from './fileLock.ts';
import type { NewLines } from './rotatingLines.ts';

/** A burst is over when nothing was written for so long. */
const idleMs = 30;
/** So often it is asked whether another window waits. */
const lookMs = 25;

export type BurstEnd = 'idle' | 'waitedFor';

export interface BurstStart {
  readonly file: string;
  readonly sealFile: string;
  readonly lock: HeldLock;
  /** Of the file as it was left. */
  readonly lastLine: string;
  readonly seal: string;
  /** From which the file is full. */
  readonly maxBytes: number;
  /** When one line takes longer to write, it was the last one that is written here. */
  readonly maxHeldUpMs: number;
  /** Replaces the seals by this one. */
  readonly replaceSeal: (seal: string) => Promise<void>;
  /** It should end: nobody has written for a while, or another window waits. */
  readonly onDue: (burst: LineBurst, why: BurstEnd) => void;
  /** Though the lock is held here, somebody else has changed the file. */
  readonly onChanged: () => void;
}

/**
 * The lock, kept over lines that follow each other closely, with what is known of the file meanwhile. A line then costs a look at
 * whether all is as it was left, and two short writes: first the seals of the line before and of this one, then the line. A window
 * that is killed between them, or before it gives the lock back, leaves both seals, and the file ends at the one or at the other.
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
  #isChanged = false;
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
    // It also keeps the process until the lock is given back: others would wait for it.
    this.#look = setInterval(() => void this.#lookAround(), lookMs);
  }

  /** It took so long to write that the next lines had better wait elsewhere. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** What was written after another window had the lock, and may stand behind lines it does not follow. */
  get misplaced(): Buffer | undefined {
    return this.#misplaced;
  }

  /** False when the lock or the file is not what it was any more: it is to be written elsewhere. Throws when they cannot be written. */
  append(make: (last: string) => NewLines): boolean {
    const begun = performance.now();
    if (this.#hasFailed || this.#isSlow || this.#size >= this.#start.maxBytes || !this.#isOurs(this.#size)) {
      return false;
    }
    const { lines, seal } = make(this.#lastLine);
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    try {
      this.#writeSeals(`${this.#seal}\n${seal}`);
      // A disk that stands still for long costs this window the lock, and another one goes on with the file.
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

  /** From then on no line is written here. */
  #isHeldUp(begun: number): boolean {
    this.#isSlow ||= performance.now() - begun > this.#start.maxHeldUpMs;
    return this.#isSlow;
  }

  /**
   * The last line is vouched for by its own seal alone, and the next window can write. Throws, with the lock given back, when the
   * system says only now that something was not written, as it does where files are on another computer.
   */
  async end(): Promise<void> {
    clearInterval(this.#look);
    // A look that is under way is late.
    this.#isDue = true;
    const { lock, replaceSeal } = this.#start;
    try {
      closeAll([this.#lines, this.#seals]);
      if (!this.#hasFailed && (await lock.isHeld())) {
        // What is written is written: both seals do as well.
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

  #isOurs(size: number): boolean {
    const { lock, onChanged } = this.#start;
    if (!lock.isHeldNow()) {
      return false;
    }
    const isUntouched = this.#isUntouched(size);
    // Asked again: another window may have become its holder between the two looks.
    if (!isUntouched && !this.#isChanged && lock.isHeldNow()) {
      this.#isChanged = true;
      onChanged();
    }
    return isUntouched;
  }

  /** Also false where the file was moved or replaced: what is written to it would be nowhere. */
  #isUntouched(size: number): boolean {
    const now = fs.statSync(this.#start.file, { throwIfNoEntry: false });
    return now?.ino === this.#inode && now.size === size;
  }

  #writeSeals(text: string): void {
    const bytes = Buffer.from(text);
    writeWhole(this.#seals, bytes, 0);
    // They are all of one length, but those that others left.
    if (bytes.length !== this.#sealBytes) {
      fs.ftruncateSync(this.#seals, bytes.length);
      this.#sealBytes = bytes.length;
    }
  }

  /** A full disk may have taken a part of it. Nothing else is taken away: another window may have gone on meanwhile. */
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
      // The next one to write takes away what is not whole.
    }
  }
}

/** Each of them, whatever becomes of the others; throws the first failure. */
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
