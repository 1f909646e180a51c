import * as z from 'zod';
import type { DiagnosticEntry, DiagnosticsAnswer } from '../../seen/ports/editorPort.ts';
import { cursorFor, offsetOf } from '../catalog/cursor.ts';
import { answerText, clip, fitAnswer, indented, marked, type Measured, nextCursor, note, paged, placeText } from './answers.ts';
import { foundOrNote, type Found } from './languageShapes.ts';
import { diagnostic, severity, somePath } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

/** Whether the answer is known without waiting. A single file may have to be loaded, and its language service asked, first. */
function isImmediate({ path, waitMs }: { readonly path?: string | undefined; readonly waitMs: number }): boolean {
  return path === undefined && waitMs === 0;
}

const input = z.strictObject({
  path: somePath.optional().describe('Only this file, open or not'),
  severity: severity.optional().describe('The least that counts'),
  source: z.string().max(500).optional().describe('Such as "ts"'),
  waitMs: z.int().min(0).max(20_000).default(0).describe('Longest wait for the language service'),
  limit: z.int().min(1).max(1_000).default(200).describe('Most problems'),
  ...paged,
});

const output = z.object({
  diagnostics: z.array(diagnostic).describe('In the order of path and place'),
  documents: z
    .array(z.object({ path: z.string(), version: z.string(), isDirty: z.boolean() }))
    .describe('The open documents among them: which version the diagnostics were asked for, and whether it is saved'),
  settled: z.boolean().describe('Whether a language service answered for the text as it is now'),
  total: z.int().min(0).describe('On all pages'),
  note,
  nextCursor,
});
type Output = z.input<typeof output>;

export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Get Diagnostics',
  description: 'Returns errors, warnings and hints of one file, or those that VS Code knows of the workspace, unsaved changes included.',
  input,
  output,
  annotations: looksOnly,
  role: 'reader',
  call: (query, { editor, call }) => {
    const { path, severity: least, source, waitMs, limit, cursor, maxChars } = query;
    const offset = cursor === undefined ? 0 : offsetOf(cursor, filterOf(query));
    const page = { query, offset, maxChars };
    const known = isImmediate(query) ? editor.knownDiagnostics({ severity: least, source, offset, limit }) : undefined;
    if (known !== undefined) {
      return answerTo(page, { found: known });
    }
    const asked = editor.getDiagnostics({ path, severity: least, source, waitMs, offset, limit }, call.signal);
    return foundOrNote(asked, nowhere).then((found) => answerTo(page, found));
  },
  toText,
});

type Query = Pick<z.output<typeof input>, 'path' | 'severity' | 'source'>;

/** Everything that decides which diagnostics are in the list. */
function filterOf({ path, severity: least, source }: Query): readonly unknown[] {
  return [path, least, source];
}

interface AskedPage {
  readonly query: Query;
  readonly offset: number;
  readonly maxChars: number;
}

function answerTo({ query, offset, maxChars }: AskedPage, { found: answer, note: mistake }: Found<DiagnosticsAnswer>): Measured<Output> {
  const { documents, settled, total } = answer;
  const why = mistake ?? noteOn(query.path, answer);
  const build = (shown: readonly DiagnosticEntry[]): Output => {
    const end = offset + shown.length;
    return {
      diagnostics: [...shown],
      documents: shown.length < answer.diagnostics.length ? documentsOf(shown, documents) : [...documents],
      settled,
      total,
      ...(why !== '' && { note: why }),
      ...(end < total && { nextCursor: cursorFor(end, filterOf(query)) }),
    };
  };
  const shortened = answer.diagnostics.map((entry) => ({ ...entry, message: clip(entry.message, maxChars / 5) }));
  return fitAnswer(shortened, maxChars, build, toText);
}

function documentsOf(shown: readonly DiagnosticEntry[], documents: DiagnosticsAnswer['documents']): Output['documents'] {
  const paths = new Set(shown.map(({ path }) => path));
  return documents.filter(({ path }) => paths.has(path));
}

const nowhere: DiagnosticsAnswer = { diagnostics: [], documents: [], settled: false, total: 0 };

function toText(output: Output): string {
  const { diagnostics, documents, settled, total } = output;
  const problems = diagnostics.map(({ severity: degree, message, source, code, ...place }) => {
    const origin = [source, code].filter((part) => part !== undefined).join(' ');
    return `${placeText(place)} ${degree} ${indented(message)}${origin === '' ? '' : ` [${origin}]`}`;
  });
  const count = `${diagnostics.length === total ? '' : `${diagnostics.length} of `}${total} problems, ${settled ? 'settled' : 'not settled'}.`;
  const versions = documents.map(({ path, version, isDirty }) => `${path} ${marked(`version ${version}`, isDirty && 'unsaved')}`);
  return answerText([...problems, count, ...versions], output);
}

const onlyKnown =
  'Known are the problems of open files and of others that a language service reported by itself. For any other file, pass its path.';

/** Warns a client that an empty answer need not mean that there are no problems: perhaps no language service has looked yet. */
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
