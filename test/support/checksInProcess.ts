import type { SchemaChecks } from '../../src/host/serverSession.ts';
import { checkSchema } from '../../src/worker/checkSchema.ts';

/** The check itself, without threads: for servers that mean well. */
export const checksInProcess: SchemaChecks = {
  check: (schema, value) =>
    Promise.resolve(checkSchema({ schema: JSON.stringify(schema), value: value === undefined ? undefined : JSON.stringify(value) })),
};
