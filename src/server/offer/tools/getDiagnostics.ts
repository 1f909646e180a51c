import * as z from 'zod';
import { neverAborted } from '../../../base/abort.ts';
import { cursorFor, offsetOf } from '../catalog/cursor.ts';
import { diagnostic, severity } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

/** Made once: a signal costs more than the rest of a call that waits for nothing, and nobody listens to it there. */
const unstoppable = neverAborted();

const input = z.strictObject({
  path: z.string().min(1).optional().describe('Only this file; all files if left out'),
  severity: severity.optional().describe('A minimum: "warning" returns warnings and errors'),
  source: z.string().optional().describe('Only from this source, for example "ts" or "eslint"'),
  waitMs: z.int().min(0).max(20_000).default(0).describe('How many milliseconds to wait, at most, for the language service to settle'),
  limit: z.int().min(1).max(1_000).default(200).describe('How many to return at most'),
  cursor: z.string().optional().describe('nextCursor of the page before'),
});

const output = z.object({
  diagnostics: z.array(diagnostic).describe('In the order of path and place'),
  documents: z
    .array(z.object({ path: z.string(), version: z.int(), isDirty: z.boolean() }))
    .describe('The open documents among them: which version the diagnostics were asked for, and whether it is saved'),
  settled: z.boolean().describe('Whether the language service had finished; if not, ask again with waitMs'),
  total: z.int().min(0).describe('On all pages'),
  nextCursor: z.string().optional().describe('Only when there are more: pass it as cursor'),
});

export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Get Diagnostics',
  description:
    'Returns the errors, warnings and hints that VS Code shows for the workspace or for one file, with unsaved changes taken into account. Paged: pass nextCursor as cursor for more.',
  input,
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ limit, cursor, ...query }, { editor, call }) => {
    const filter = [query.path, query.severity, query.source];
    const offset = cursor === undefined ? 0 : offsetOf(cursor, filter);
    const answer = await editor.getDiagnostics({ ...query, offset, limit }, query.waitMs === 0 ? unstoppable : call.signal);
    const { diagnostics, documents, settled, total } = answer;
    const end = offset + limit;
    return {
      diagnostics: [...diagnostics],
      documents: [...documents],
      settled,
      total,
      ...(end < total && { nextCursor: cursorFor(end, filter) }),
    };
  },
});
