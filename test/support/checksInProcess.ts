import type { SchemaChecker } from '../../src/host/connection/schemaChecks.ts';
import { checkSchema } from '../../src/worker/checkSchema.ts';

/** The check itself, without threads: for servers that mean well. */
export const checksInProcess: SchemaChecker = {
  check: (schema, value) =>
    Promise.resolve(checkSchema({ schema: JSON.stringify(schema), value: value === undefined ? undefined : JSON.stringify(value) })),
};
