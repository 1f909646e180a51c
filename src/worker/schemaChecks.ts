import type { JsonObject, JsonValue } from '../base/json.ts';
import type { SchemaVerdict } from '../contract/schemaVerdict.ts';
import type { WorkerPool } from './workerPool.ts';

/** Holds values against schemas that strangers wrote, in the pool. */
export class SchemaChecks {
  readonly #pool: WorkerPool;

  constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  /** Without a value the schema alone is looked at. */
  async check(schema: JsonObject, value: JsonValue | undefined, signal: AbortSignal): Promise<SchemaVerdict> {
    const job = { schema: JSON.stringify(schema), value: value === undefined ? undefined : JSON.stringify(value) };
    const outcome = await this.#pool.run('checkSchema', job, signal);
    return outcome.kind === 'done' ? outcome.result : outcome;
  }
}
