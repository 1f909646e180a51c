import * as z from 'zod';
import type { DiagnosticEntry, DiagnosticsAnswer } from '../../seen/ports/editorPort.ts';
import { cursorFor, isPlaceCursor, offsetOf } from '../catalog/cursor.ts';
import { answerText, clip, fitAnswer, indented, marked, type Measured, nextCursor, note, paged, placeText } from './answers.ts';
import { checkProject, documentsOf, type FoundPage, whereOf } from './projectDiagnostics.ts';
import { diagnostic, severity, somePath } from './shapes.ts';
import { defineTool, type EditorCall, looksOnly } from './tool.ts';

const input = z.strictObject({
  path: somePath.optional().describe('A file, a folder or a glob, open or not'),
  scope: z
    .enum(['known', 'project'])
    .optional()
    .describe('Without path: what VS Code knows already, which is the default, or every file of the project'),
  severity: severity.optional().describe('The least that counts'),
  source: z.string().max(500).optional().describe('Such as "ts"'),
  waitMs: z.int().min(0).max(20_000).default(0).describe('Longest wait for the language service'),
  limit: z.int().min(1).max(1_000).default(200).describe('Most problems'),
  ...paged,
});
type Query = z.output<typeof input>;

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
  description:
    'Returns errors, warnings and hints of a file, folder or glob, closed files too; without path those that VS Code knows, or with scope "project" of everything. Unsaved changes included.',
  input,
  output,
  annotations: looksOnly,
  role: 'reader',
  call: (query, context) => {
    const { path, scope, severity: least, source, waitMs, limit, maxChars } = query;
    const isKnown = path === undefined && scope !== 'project';
    const offset = isKnown ? offsetIn(query) : 0;
    const known = isKnown && waitMs === 0 ? context.editor.knownDiagnostics({ severity: least, source, offset, limit }) : undefined;
    if (known !== undefined) {
      return answerWith(pageOfKnown(query, offset, known), maxChars);
    }
    return pageOf(query, context).then((page) => answerWith(page, maxChars));
  },
  toText,
});

/** Everything that decides which diagnostics are in the list. */
function filterOf({ path, severity: least, source }: Query): readonly unknown[] {
  return [path, least, source];
}

function offsetIn(query: Query): number {
  return query.cursor === undefined ? 0 : offsetOf(query.cursor, filterOf(query));
}

async function pageOf(query: Query, context: EditorCall): Promise<FoundPage> {
  const { path, scope, severity: least, source, waitMs, limit, cursor } = query;
  const asked = { severity: least, source, limit };
  if (path === undefined && scope === 'project') {
    return checkProject({ ...asked, where: whereOf(path), cursor }, context);
  }
  try {
    const offset = path === undefined || !isPlaceCursor(cursor) ? offsetIn(query) : 0;
    const found = await context.editor.getDiagnostics({ path, waitMs, offset, ...asked }, context.call.signal);
    return pageOfKnown(query, path === undefined ? offset : offsetIn(query), found);
  } catch (error) {
    return checkProject({ ...asked, where: whereOf(path, error), cursor }, context);
  }
}

function pageOfKnown(query: Query, offset: number, answer: DiagnosticsAnswer): FoundPage {
  const { diagnostics, documents, settled, total } = answer;
  const cursorAfter = (shown: readonly DiagnosticEntry[]): string | undefined =>
    offset + shown.length < total ? cursorFor(offset + shown.length, filterOf(query)) : undefined;
  return { diagnostics, documents, settled, total, note: noteOn(query.path, answer), cursorAfter };
}

function answerWith({ diagnostics, documents, settled, total, note: why, cursorAfter }: FoundPage, maxChars: number): Measured<Output> {
  const build = (shown: readonly DiagnosticEntry[]): Output => {
    const next = cursorAfter(shown);
    return {
      diagnostics: [...shown],
      documents: shown.length < diagnostics.length ? documentsOf(shown, documents) : [...documents],
      settled,
      total,
      ...(why !== '' && { note: why }),
      ...(next !== undefined && { nextCursor: next }),
    };
  };
  const shortened = diagnostics.map((entry) => ({ ...entry, message: clip(entry.message, maxChars / 5) }));
  return fitAnswer(shortened, maxChars, build, toText);
}

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
  'Known are the problems of open files and of others that a language service reported by itself. For others, pass a path, or scope "project" for all.';

/** Warns a client that an empty answer need not mean that there are no problems: perhaps no language service has looked yet. */
function noteOn(path: string | undefined, { settled, unheard = [], behind = [] }: DiagnosticsAnswer): string {
  const whole = path === undefined ? onlyKnown : '';
  if (settled) {
    return whole;
  }
  const late = behind.length === 0 ? '' : behindText(behind);
  if (late !== '' && unheard.length === 0) {
    return `${late} ${whole}`.trim();
  }
  const about = unheard.length === 0 ? '' : ` on ${unheard.join(', ')}`;
  const silence =
    `No language service has reported${about} since it was opened or last changed, so there may be problems nobody told. ` +
    'Ask again with waitMs; many services speak only of files that open_file has shown, and some languages have none.';
  return `${late} ${silence} ${whole}`.trim();
}

function behindText(paths: readonly string[]): string {
  return (
    `Not known yet: the language service may still speak of ${paths.join(', ')} as it was before it changed on the disk. ` +
    'Ask again in a moment, or with waitMs.'
  );
}
