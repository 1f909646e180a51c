import type { specTypeSchemas } from '@modelcontextprotocol/client';
import { isJsonObject } from '../../base/json.ts';

/** The SDK's, by name. */
export type Schemas = typeof specTypeSchemas;
/** What the SDK takes to hold an answer against. */
export type ResultSchema = Schemas['CallToolResult'];

/** Answers of other kinds; without content, such a one must not pass for the empty result of a tool. */
const otherKinds = ['task', 'inputRequests', 'requestState'] as const;

/**
 * What the SDK's own `callTool` holds an answer of before 2026-07-28 against. There it first tries that on nothing, at every call,
 * and writes down what is wrong with nothing: that takes as long as all that is done here for permission.
 */
export function legacyResultSchema({ CallToolResult, RequestMeta }: Schemas): ResultSchema {
  const { validate } = CallToolResult['~standard'];
  return {
    '~standard': {
      ...CallToolResult['~standard'],
      validate: (value) => {
        const issue = issueWith(value);
        if (issue !== undefined) {
          return { issues: [{ message: issue }] };
        }
        const meta = isJsonObject(value) ? value['_meta'] : undefined;
        const wrongMeta = meta === undefined ? undefined : RequestMeta['~standard'].validate(meta);
        return wrongMeta?.issues === undefined ? validate(value) : wrongMeta;
      },
    },
  };
}

/** What the older revisions forbid, and the newest does not. */
function issueWith(value: unknown): string | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { content, structuredContent } = value;
  const other = content === undefined ? otherKinds.find((key) => key in value) : undefined;
  if (other !== undefined) {
    return `it has no content, but '${other}'`;
  }
  return structuredContent === undefined || isJsonObject(structuredContent) ? undefined : 'its structuredContent is no object';
}
