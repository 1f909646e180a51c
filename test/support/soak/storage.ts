import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { readAudit } from '../../../src/consent/audit/auditReading.ts';
import { RotatingLines } from '../../../src/platform/files/rotatingLines.ts';
import type { CrowdOrder } from './crowd.ts';
import { Counts } from './figures.ts';

export type Store = 'ledger' | 'audit' | 'conversation';

/** What a window says first: where it is, and what it found. */
interface Opened {
  readonly urls: CrowdOrder['urls'];
  readonly token: string;
  readonly found: Readonly<Record<Store, number>>;
}

/** It slept for a night, with so many sessions left that nobody used meanwhile. */
interface Woken {
  readonly woke: true;
  readonly sessions: number;
}

/** What a window says, one line each: also each number that is safely stored, or was refused. */
export type WindowLine =
  | Opened
  | Woken
  | { readonly store: Store; readonly number: number }
  | { readonly store: Store; readonly refused: string };

export const auditKey = 'key';
export const auditLimits = { maxBytes: 10 * 1024 * 1024, maxParts: 10 };
/** What is kept, and may be there when nobody runs. */
const lasting = /^(?:permissions\.json|audit(?:\.\d)?\.jsonl(?:\.seal)?|conversations\/w\/\w+\.json|tmp\/.*)$/;
/** The numbers of a window are above those of the windows before it. */
const numbersOfOne = 1_000_000;

/** One storage, with windows that write to it all the time, and the memory of what they said is stored. */
export class SoakedStorage {
  readonly #folder: string;
  readonly #last = new Map<string, number>();
  readonly #recorded = new Set<string>();
  #windows = 0;
  readonly seen = new Counts();
  readonly faults: string[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<SoakedStorage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'duplex-soak-'));
    await mkdir(path.join(folder, 'tmp'));
    return new SoakedStorage(folder);
  }

  /** Opens a window, which finds what the one of the same name before it had stored. */
  async open(name: string): Promise<SoakedWindow> {
    this.#windows += 1;
    const expected = new Map(this.#last);
    const args = [this.#folder, name, String(this.#windows * numbersOfOne)];
    const child = spawn(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, 'storingWindow.ts'), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: path.join(this.#folder, 'tmp') },
    });
    child.stdin.on('error', () => undefined); // it was killed
    const window = new SoakedWindow(child, (line) => this.#note(name, line));
    const { found } = await window.opened;
    for (const store of ['ledger', 'conversation'] as const) {
      const stored = expected.get(`${store} ${name}`) ?? 0;
      if (found[store] < stored) {
        this.faults.push(`the ${store} has ${found[store]} of ${name}, not ${stored}`);
      }
    }
    return window;
  }

  #note(name: string, line: WindowLine): void {
    if ('number' in line) {
      this.#last.set(`${line.store} ${name}`, line.number);
      this.seen.add({ stored: 1 });
      if (line.store === 'audit') {
        this.#recorded.add(`${name} ${line.number}`);
      }
    } else if ('refused' in line) {
      this.seen.add({ refused: 1 });
    }
  }

  /** Lets an hour go by, opens every window once more and ends it, and looks for what is lost or left then. */
  async check(names: readonly string[]): Promise<void> {
    await this.#age();
    for (const name of names) {
      const window = await this.open(name);
      await window.untilStored();
      await window.end();
    }
    const lines = new RotatingLines(path.join(this.#folder, 'audit.jsonl'), auditLimits);
    const read = await lines.read();
    const { verdict } = await readAudit(read, auditKey, () => Promise.resolve());
    if (verdict.kind !== 'holds') {
      this.faults.push(`the audit log does not hold: ${JSON.stringify(verdict)}`);
    }
    for (const line of read.parts.flatMap((part) => part.lines)) {
      const { peer, subject } = JSON.parse(line) as { readonly peer: string; readonly subject: string };
      this.#recorded.delete(`${peer} ${subject}`);
    }
    this.faults.push(...[...this.#recorded].map((each) => `the line ${each} is not in the audit log`).slice(0, 5));
    const left = (await this.#files()).filter((each) => !lasting.test(each.split(path.sep).join('/')));
    this.faults.push(...left.map((each) => `the file ${each} is left`));
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }

  async #files(): Promise<readonly string[]> {
    const all = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    return all.filter((each) => each.isFile()).map((each) => path.relative(this.#folder, path.join(each.parentPath, each.name)));
  }

  async #age(): Promise<void> {
    const past = new Date(Date.now() - 3_600_000);
    for (const each of await this.#files()) {
      await utimes(path.join(this.#folder, each), past, past).catch(() => undefined);
    }
  }
}

/** A window that runs. */
export class SoakedWindow {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #lines: ReturnType<typeof createInterface>;
  readonly opened: Promise<Opened>;

  constructor(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }, note: (line: WindowLine) => void) {
    this.#child = child;
    this.#closed = once(child, 'close');
    this.#lines = createInterface(child.stdout);
    this.#lines.on('line', (text) => note(JSON.parse(text) as WindowLine));
    this.opened = this.#next((line): line is Opened => 'urls' in line);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#closed;
  }

  stopForAWhile(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Resolves to how many sessions that nobody used are left. */
  async wake(): Promise<number> {
    const woken = this.#next((line): line is Woken => 'woke' in line);
    this.#child.kill('SIGCONT');
    return (await woken).sessions;
  }

  /** Resolves when every store has taken something from now on. */
  async untilStored(): Promise<void> {
    const stores = ['ledger', 'audit', 'conversation'] as const;
    await Promise.all(stores.map((store) => this.#next((line): line is WindowLine => 'number' in line && line.store === store)));
  }

  #next<T extends WindowLine>(isMeant: (line: WindowLine) => line is T): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (text: string): void => {
        const line = JSON.parse(text) as WindowLine;
        if (isMeant(line)) {
          this.#lines.off('line', look);
          resolve(line);
        }
      };
      this.#lines.on('line', look);
      void this.#closed.then(() => reject(new Error('The window ended before it said what was waited for.')));
    });
  }
}
