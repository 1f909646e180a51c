import { createHash, createHmac } from 'node:crypto';
import { neverAborted, within } from '../../base/abort.ts';
import { errorMaker, messageOf, type SentenceTable } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { chain, hashOf, isEndChanged, keyName, rememberingLast, sealOf, type AuditLine } from './auditLine.ts';

/** How long, in ms, a line may wait to be written together with others. */
const batchMs = 1_000;
/**
 * The most lines of one principal in a batch. One line says how many more there were, so that nobody can push other lines out of the
 * record.
 */
const maxNotes = 100;
/** The most lines that are kept while nothing can be written. */
const maxKept = 2_000;
/** How long, in ms, to wait for the key: a keyring may ask for its password. */
const keyMs = 10_000;
/** How long, in ms, a failure to write counts before `demandWritable` tries again. */
const retryMs = 1_000;

export const auditErrorTable = {
  'audit.notWritten': 'Duplex cannot write its audit log, so nothing that acts is done: {reason}',
} as const satisfies SentenceTable;

const auditError = errorMaker(auditErrorTable);

/** The port that stores the lines and the seal of the last one. */
export interface AuditStorage {
  /**
   * Appends all the lines that are made of the last one there is, or none. The seals beside it are given wherever another program may
   * have had the file since this log wrote its last line.
   */
  append(make: (last: string | undefined, seals?: string) => { readonly lines: readonly string[]; readonly seal: string }): Promise<void>;
}

/** What was decided or done. Arguments are not written, only their names and a keyed hash. */
export interface AuditRecord extends Pick<AuditLine, 'principal' | 'peer' | 'action' | 'subject' | 'decidedBy' | 'outcome'> {
  readonly credential?: string | undefined;
  readonly arguments?: JsonObject | undefined;
  readonly durationMs?: number | undefined;
}

export interface AuditLogOptions {
  readonly storage: AuditStorage;
  /** The key for the hashes of arguments, known on this machine only; a plain text when it is already at hand. */
  readonly key: () => string | Promise<string>;
  readonly clock: Clock;
  /** Called when writing fails, once until it works again. */
  readonly onFailure: (error: unknown) => void;
}

/** What is recorded where the last line is not the one that was written last. */
const changedEnd: AuditRecord = {
  principal: 'host',
  peer: '',
  action: 'findChanged',
  subject: 'the end of the audit log is not as Duplex left it: lines were taken away, or added',
  decidedBy: 'nobody',
  outcome: 'failed',
};

interface Waiting {
  readonly line: Omit<AuditLine, 'previous'>;
  readonly hashed: string | undefined;
  readonly settle: { resolve(): void; reject(error: unknown): void } | undefined;
}

interface Noted {
  count: number;
  last: AuditRecord;
}

/** Writes the lines of the audit log in order; several that come at once are written together. */
export class AuditLog implements Disposable {
  readonly #options: AuditLogOptions;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #timer: Disposable | undefined;
  #noted = new Map<string, Noted>();
  /** The last failure to write and when it was; undefined once a line was written. */
  #failure: { readonly error: Error; readonly at: number } | undefined;
  /** Lines that an earlier attempt could not write. */
  #unwritten: Waiting[] = [];
  #lost = 0;
  readonly #hashOf = rememberingLast(hashOf);
  readonly #keyName = rememberingLast(keyName);

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Writes a line now. Settles when it is in the file; rejects with `audit.notWritten` when it could not be written. */
  async write(record: AuditRecord): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(this.#toWaiting(record, { resolve, reject }));
      void this.flush();
    });
  }

  /** Writes a line within a second. A failure is told through `onFailure`, and refuses nothing. */
  note(record: AuditRecord): void {
    const noted = this.#notedOf(record);
    noted.count += 1;
    noted.last = record;
    if (noted.count <= maxNotes) {
      this.#keep([this.#toWaiting(record, undefined)]);
    }
    this.#timer ??= this.#options.clock.schedule(batchMs, () => void this.flush());
  }

  /**
   * Rejects with `audit.notWritten` while nothing can be written, so that nobody is asked about what could not be recorded anyway.
   * After a failure it finds out by writing a line; undefined as long as the last attempt succeeded.
   */
  demandWritable(): Promise<void> | undefined {
    if (this.#failure === undefined) {
      return undefined;
    }
    const { error, at } = this.#failure;
    if (this.#options.clock.now() - at < retryMs) {
      return Promise.reject(error);
    }
    const subject = 'the audit log can be written again';
    return this.write({ principal: 'host', peer: '', action: 'writeAgain', subject, decidedBy: 'nobody', outcome: 'succeeded' });
  }

  /** Writes all waiting lines now. Never rejects. */
  async flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#sumUp();
    if (this.#waiting.length > 0) {
      this.#writing ??= this.#writeWaiting();
    }
    await this.#writing;
  }

  /** Writes until no line waits. All callers share one run, because with many lines each of them would else go through all the others. */
  async #writeWaiting(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await this.#writeAll();
      }
    } finally {
      this.#writing = undefined;
    }
  }

  dispose(): void {
    void this.flush();
  }

  #notedOf(record: AuditRecord): Noted {
    const known = this.#noted.get(record.principal);
    if (known !== undefined) {
      return known;
    }
    const noted = { count: 0, last: record };
    this.#noted.set(record.principal, noted);
    return noted;
  }

  #sumUp(): void {
    for (const { count, last } of this.#noted.values()) {
      if (count > maxNotes) {
        const subject = `${last.subject} and others, ${count - maxNotes} more in this second`;
        this.#waiting.push(this.#toWaiting({ ...last, arguments: undefined, subject }, undefined));
      }
    }
    this.#noted = new Map();
  }

  async #writeAll(): Promise<void> {
    const lines = [...this.#unwritten, ...this.#waiting];
    const lost = this.#lost;
    this.#waiting = [];
    this.#unwritten = [];
    this.#lost = 0;
    try {
      const given = this.#options.key();
      const key =
        typeof given === 'string' ? given : await within(given, keyMs, neverAborted(), () => new Error('the key for it is not given out'));
      await this.#options.storage.append((last, seals = '') => {
        // The new lines get a seal of their own, which would not show that others are missing before them.
        const found = isEndChanged(last, seals, key) ? [this.#toWaiting(changedEnd, undefined)] : [];
        const written = [...found, ...this.#lostLine(lost), ...lines].map((each) => toLine(each, key));
        const texts = chain(written, last, this.#hashOf);
        return { lines: texts, seal: sealOf(texts.at(-1) ?? '', key, this.#keyName) };
      });
      this.#failure = undefined;
      lines.forEach(({ settle }) => settle?.resolve());
    } catch (cause) {
      if (this.#failure === undefined) {
        this.#options.onFailure(cause);
      }
      const error = auditError('audit.notWritten', { reason: messageOf(cause) }, { cause });
      this.#failure = { error, at: this.#options.clock.now() };
      // Lines that refuse nothing are written with the next batch.
      this.#unwritten = lines.filter(({ settle }) => settle === undefined);
      this.#lost += lost;
      this.#keep([]);
      lines.forEach(({ settle }) => settle?.reject(error));
    }
  }

  /** Adds lines that may wait. Their number is bounded; lines that do not fit are dropped and counted. */
  #keep(lines: readonly Waiting[]): void {
    this.#waiting.push(...lines);
    const tooMany = this.#unwritten.length + this.#waiting.length - maxKept;
    if (tooMany > 0) {
      this.#lost += this.#unwritten.splice(0, tooMany).length;
    }
  }

  #lostLine(lost: number): Waiting[] {
    const subject = `${lost} lines before this one could not be written`;
    const record = { principal: 'host', peer: '', action: 'loseLines', subject, decidedBy: 'nobody', outcome: 'failed' } as const;
    return lost === 0 ? [] : [this.#toWaiting(record, undefined)];
  }

  #toWaiting(record: AuditRecord, settle: Waiting['settle']): Waiting {
    const { principal, credential = '', peer, action, subject, decidedBy, outcome, durationMs = 0, arguments: args } = record;
    return {
      line: {
        time: new Date(this.#options.clock.wallTime()).toISOString(),
        principal: cut(principal),
        credential: cut(credential),
        peer: cut(peer),
        action: cut(action),
        subject: cut(subject),
        argumentNames: Object.keys(args ?? {})
          .slice(0, 100)
          .map((name) => name.slice(0, 100)),
        // The place of the hash, which is filled in later: the order of fields is a contract.
        argumentsHash: '',
        decidedBy,
        outcome,
        durationMs: Math.round(durationMs),
      },
      // A first hash without the key, which may come late: arguments can be large and are not kept until then.
      hashed: args === undefined ? undefined : createHash('sha256').update(canonicalJson(args)).digest('base64url'),
      settle,
    };
  }
}

function toLine({ line, hashed }: Waiting, key: string): Omit<AuditLine, 'previous'> {
  return hashed === undefined ? line : { ...line, argumentsHash: createHmac('sha256', key).update(hashed).digest('base64url') };
}

function cut(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 499)}…`;
}
