import * as z from 'zod';
import { neverAborted } from '../../../base/abort.ts';
import type { DiagnosticsAnswer } from '../../seen/ports/editorPort.ts';
import { cursorFor, offsetOf } from '../catalog/cursor.ts';
import { diagnostic, severity } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

/** Made once: a signal costs more than the rest of a call that waits for nothing, and nobody listens to it there. */
const unstoppable = neverAborted();

/** One file may have to be loaded first, and its language service asked. */
function isImmediate({ path, waitMs }: { readonly path?: string | undefined; readonly waitMs: number }): boolean {
  return path === undefined && waitMs === 0;
}

const input = z.strictObject({
  path: z.string().min(1).optional().describe('Only this file; all files if left out'),
  severity: severity.optional().describe('A minimum: "warning" returns warnings and errors'),
  source: z.string().optional().describe('Only from this source, for example "ts" or "eslint"'),
  waitMs: z
    .int()
    .min(0)
    .max(20_000)
    .default(0)
    .describe(
      'How many milliseconds to wait, at most, for the language service to settle; a file that is not open is waited for a few seconds anyway',
    ),
  limit: z.int().min(1).max(1_000).default(200).describe('How many to return at most'),
  cursor: z.string().optional().describe('nextCursor of the page before'),
});

const output = z.object({
  diagnostics: z.array(diagnostic).describe('In the order of path and place'),
  documents: z
    .array(z.object({ path: z.string(), version: z.string(), isDirty: z.boolean() }))
    .describe('The open documents among them: which version the diagnostics were asked for, and whether it is saved'),
  settled: z.boolean().describe('Whether a language service answered for the text as it is now'),
  total: z.int().min(0).describe('On all pages'),
  note: z.string().optional().describe('What the answer does not cover, and what to do'),
  nextCursor: z.string().optional().describe('Only when there are more: pass it as cursor'),
});

export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Get Diagnostics',
  description:
    'Returns the errors, warnings and hints of one file, open or not, or those that VS Code knows of the workspace, with unsaved changes taken into account. Paged: pass nextCursor as cursor for more.',
  input,
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ limit, cursor, ...query }, { editor, call }) => {
    const filter = [query.path, query.severity, query.source];
    const offset = cursor === undefined ? 0 : offsetOf(cursor, filter);
    const answer = await editor.getDiagnostics({ ...query, offset, limit }, isImmediate(query) ? unstoppable : call.signal);
    const { diagnostics, documents, settled, total } = answer;
    const note = noteOn(query.path, answer);
    const end = offset + limit;
    return {
      diagnostics: [...diagnostics],
      documents: [...documents],
      settled,
      total,
      ...(note !== '' && { note }),
      ...(end < total && { nextCursor: cursorFor(end, filter) }),
    };
  },
});

const onlyKnown =
  'Known are the problems of open files and of others that a language service reported by itself. For any other file, pass its path.';

/** What an agent would otherwise believe: that no problem is reported does not mean that somebody looked. */
function noteOn(path: string | undefined, { settled, unheard = [] }: DiagnosticsAnswer): string {
  const whole = path === undefined ? onlyKnown : '';
  if (settled) {
    return whole;
  }
  const about = unheard.length === 0 ? '' : ` on ${unheard.join(', ')}`;
  const silence =
    `No language service has reported${about} since it was opened or last changed, so there may be problems nobody told. ` +
    'Ask again with waitMs; many services speak only of files that open_file has shown, and some languages have none.';
  return `${silence} ${whole}`.trim();
}
