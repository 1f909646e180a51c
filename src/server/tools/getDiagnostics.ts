import * as z from 'zod';
import type { DiagnosticsAnswer } from '../ports/editorPort.ts';
import { cursorFor, offsetOf } from './cursor.ts';
import { severity, textRange } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const diagnostic = z.object({
  path: z.string(),
  range: textRange,
  severity,
  message: z.string(),
  source: z.string().optional(),
  code: z.string().optional(),
});

const neverAborted = new AbortController().signal;

const input = z.strictObject({
  path: z.string().optional().describe('Only this file; all files if left out'),
  severity: severity.optional().describe('A minimum: "warning" returns warnings and errors'),
  source: z.string().optional().describe('Only from this source, for example "ts" or "eslint"'),
  waitMs: z.int().min(0).max(20_000).default(0).describe('How long to wait for the language service to settle'),
  limit: z.int().min(1).max(1_000).default(200),
  cursor: z.string().optional().describe('nextCursor of the page before'),
});

const output = z.object({
  diagnostics: z.array(diagnostic),
  documents: z.array(z.object({ path: z.string(), version: z.int(), isDirty: z.boolean() })),
  settled: z.boolean().describe('Whether the language service had finished'),
  total: z.int().min(0),
  nextCursor: z.string().optional(),
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
    // A signal costs more than the rest of such a call, and what waits for nothing cannot be interrupted.
    const answer = await editor.getDiagnostics(query, query.waitMs === 0 ? neverAborted : call.signal);
    return page(answer, offset, limit, filter);
  },
});

function page(answer: DiagnosticsAnswer, offset: number, limit: number, filter: readonly unknown[]): z.input<typeof output> {
  const { diagnostics, documents, settled } = answer;
  const end = offset + limit;
  const total = diagnostics.length;
  if (offset === 0 && total <= limit) {
    return { diagnostics: [...diagnostics], documents: [...documents], settled, total };
  }
  const shown = diagnostics.slice(offset, end);
  const paths = new Set(shown.map((entry) => entry.path));
  return {
    diagnostics: shown,
    documents: documents.filter((document) => paths.has(document.path)),
    settled,
    total,
    ...(end < total && { nextCursor: cursorFor(end, filter) }),
  };
}
