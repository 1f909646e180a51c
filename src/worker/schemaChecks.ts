import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { SchemaVerdict } from '../contract/forms/formFields.ts';
import type { WorkerPool } from './workerPool.ts';

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** The server whose schema it is. */
  readonly owner: object;
}

interface GivenUp {
  readonly reason: string;
  readonly until: number;
}

/** The most schemas that are remembered as given up; the oldest one is forgotten. */
const maxRemembered = 200;
/**
 * How long, in ms, a schema that was given up is not tried again. Then it is: a machine that slept or had much to do may have
 * been at fault.
 */
const rememberMs = 10 * 60_000;

/** Holds values against schemas that strangers wrote, in the pool. A check that took too long is not begun again soon. */
export class SchemaChecks {
  readonly #pool: WorkerPool;
  readonly #now: () => number;
  readonly #givenUp = new Map<string, GivenUp>();

  constructor(pool: WorkerPool, now: () => number = () => performance.now()) {
    this.#pool = pool;
    this.#now = now;
  }

  /** Checks a value against a schema; without a value only the schema itself. */
  async check(schema: JsonObject, value: JsonValue | undefined, { signal, owner }: CheckOptions): Promise<SchemaVerdict> {
    const job = { schema: JSON.stringify(schema), value: value === undefined ? undefined : JSON.stringify(value) };
    const hash = createHash('sha256').update(job.schema).digest('base64url');
    // A schema that can be read, and only takes long with values, still lets its tool be called.
    const key = value === undefined ? hash : `${hash} value`;
    const known = this.#recall(hash) ?? this.#recall(key);
    if (known !== undefined) {
      return { kind: 'gaveUp', reason: known.reason };
    }
    const outcome = await this.#pool.run('checkSchema', job, { signal, owner });
    if (outcome.kind === 'done') {
      return outcome.result;
    }
    if (outcome.isItsFault) {
      this.#remember(key, outcome.reason);
    }
    return { kind: 'gaveUp', reason: outcome.reason };
  }

  #recall(key: string): GivenUp | undefined {
    const known = this.#givenUp.get(key);
    return known !== undefined && known.until > this.#now() ? known : undefined;
  }

  #remember(key: string, reason: string): void {
    this.#givenUp.delete(key);
    const [oldest] = this.#givenUp.keys();
    if (this.#givenUp.size >= maxRemembered && oldest !== undefined) {
      this.#givenUp.delete(oldest);
    }
    this.#givenUp.set(key, { reason, until: this.#now() + rememberMs });
  }
}
