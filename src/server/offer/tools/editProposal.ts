import * as z from 'zod';
import { hasCode } from '../../../base/errors.ts';
import type { EditsReview, FileReview, TextEdit, WantedText } from '../../seen/ports/actingPort.ts';
import type { DiagnosticEntry } from '../../seen/ports/editorPort.ts';
import { clip, fitItems, maxReasonChars, usualChars } from './answers.ts';
import { textRange } from './shapes.ts';
import { cutAtLine } from './sourceText.ts';
import type { EditorCall } from './tool.ts';
import { shortly } from './toolSchemas.ts';

/** One change of a text, as propose_edit and propose_edits take it. */
const textEdit = z
  .strictObject({
    oldText: z.string().optional().describe('Must occur once'),
    newText: z.string(),
    replaceAll: z.boolean().optional(),
    range: textRange.meta(shortly).optional().describe('Or {start: {line, character}, end}'),
  })
  .refine(({ oldText, range }) => (oldText === undefined) !== (range === undefined), {
    path: ['oldText'],
    error: 'give either oldText or range',
  })
  .refine(({ range, replaceAll }) => range === undefined || replaceAll !== true, {
    path: ['replaceAll'],
    error: 'only with oldText',
  });

/** The limit follows from the transports: they refuse a message with more than 50,000 values, and an edit of a range has nine. */
export const editsInput = z.array(textEdit).min(1).max(5_000);

export const expectedVersion = z.string().max(200).optional();

export const changeDescription = z.string().max(2_000).optional().describe('Why');

export const saveInput = z.boolean().optional().describe('Offer saving');

export const outcome = z.enum(['accepted', 'partlyAccepted', 'rejected']);

/** Returns `undefined` when neither a new text nor edits are given. */
export function wantedText(newText: string | undefined, edits: z.output<typeof editsInput> | undefined): WantedText | undefined {
  if (newText !== undefined) {
    return { newText };
  }
  return edits === undefined ? undefined : { edits: edits.map(toTextEdit) };
}

function toTextEdit({ oldText, newText, replaceAll, range }: z.output<typeof textEdit>): TextEdit {
  return range === undefined ? { oldText: oldText ?? '', newText, ...(replaceAll === true && { replaceAll }) } : { range, newText };
}

/** How long language services get to check the new text. */
const settleMs = 5_000;
/** The most diagnostics after a review. */
const maxDiagnostics = 200;
/** The longest message of a diagnostic after a review. */
const maxMessageChars = 2_000;
/** The most characters that the paths in one note may take. */
const maxNamedChars = 350;
/** Characters of the structured answer that are reserved for notes and punctuation. */
const frameChars = 1_000;
/** The most characters for the list of files without their texts. Texts and diagnostics share the rest. */
const maxFileChars = 12_000;

/** What a client is told after a review. */
export interface AnswerAfterReview {
  readonly files: readonly FileReview[];
  readonly reason: string | undefined;
  readonly diagnostics: DiagnosticEntry[];
  /** Sentences about what is left out and where to find it. */
  readonly notes: readonly string[];
}

/**
 * Describes the files as this client may see them now, with fresh diagnostics of what was changed. A retry may get the answer of an
 * earlier review, so a file that has been withheld since then looks absent.
 */
export async function answerAfterReview(review: EditsReview, context: EditorCall): Promise<AnswerAfterReview> {
  const looks = await Promise.all(review.files.map((file) => look(file, context)));
  const reason = review.reason === undefined ? undefined : clip(review.reason, maxReasonChars);
  const files = looks.map(({ file }) => file);
  const bare = fitItems(files.map(withoutText), maxFileChars, fileLines, 0);
  const room = usualChars - frameChars - JSON.stringify([reason, bare]).length;
  const { files: shown, cut } = cutTexts(files.slice(0, bare.length), Math.floor(room * 0.55));
  const found = looks.flatMap(({ diagnostics }) => diagnostics);
  const clipped = found.slice(0, maxDiagnostics).map((entry) => ({ ...entry, message: clip(entry.message, maxMessageChars) }));
  const diagnostics = [...fitItems(clipped, Math.floor(room * 0.45), diagnosticLine, 0)];
  const unsettled = looks.filter(({ isSettled }) => !isSettled).map(({ file }) => file.path);
  const notes = [
    ...(shown.length === files.length ? [] : [`${files.length - shown.length} more files of the proposal are not listed.`]),
    ...(cut.length === 0 ? [] : [`The text of ${named(cut)} is cut: read_file has all of it.`]),
    ...(diagnostics.length === found.length ? [] : ['There are more diagnostics: get_diagnostics lists them.']),
    ...(unsettled.length === 0
      ? []
      : [`No language service has reported on ${named(unsettled)} yet: get_diagnostics with waitMs asks again.`]),
  ];
  return { files: shown, reason, diagnostics, notes };
}

interface Look {
  readonly file: FileReview;
  readonly diagnostics: readonly DiagnosticEntry[];
  readonly isSettled: boolean;
}

async function look(file: FileReview, { editor, call }: EditorCall): Promise<Look> {
  if (file.version === '') {
    return { file, diagnostics: [], isSettled: true };
  }
  const waitMs = file.outcome === 'rejected' ? 0 : settleMs;
  try {
    const { diagnostics, settled } = await editor.getDiagnostics({ path: file.path, waitMs, limit: maxDiagnostics }, call.signal);
    return { file, diagnostics, isSettled: settled || waitMs === 0 };
  } catch (error) {
    if (!hasCode(error, 'editor.pathNotFound')) {
      throw error;
    }
    const { path, outcome, isSaved } = file;
    return { file: { path, outcome, version: '', isSaved }, diagnostics: [], isSettled: true };
  }
}

/** Shortens the texts so that together they take at most `most` characters; the first files get their room first. */
function cutTexts(files: readonly FileReview[], most: number): { readonly files: readonly FileReview[]; readonly cut: readonly string[] } {
  const cut: string[] = [];
  let left = most;
  const shown = files.map((file) => {
    if (file.text === undefined) {
      return file;
    }
    // In JSON, line breaks and quotes take two characters, and control characters more.
    const weight = JSON.stringify(file.text).length / Math.max(1, file.text.length);
    const { shown: text, rest } = cutAtLine(file.text, Math.floor(left / weight));
    left = Math.max(0, left - JSON.stringify(text).length);
    if (rest !== undefined) {
      cut.push(file.path);
    }
    return { ...file, text };
  });
  return { files: shown, cut };
}

function withoutText({ text, ...file }: FileReview): FileReview {
  return text === undefined ? file : { ...file, text: '' };
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).filter((_path, index) => paths.slice(0, index + 1).join(', ').length <= maxNamedChars);
  const more = paths.length - shown.length;
  return shown.length === 0 ? `${more} files` : `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A diagnostic as one line for a model. */
export function diagnosticLine({ path, range: { start }, severity, message, source, code }: DiagnosticEntry): string {
  const from = [source, code].filter((part) => part !== undefined).join(' ');
  return `${path}:${start.line}:${start.character} ${severity}: ${message}${from === '' ? '' : ` (${from})`}`;
}

/** The part of the text answer that is about one file. */
export function fileLines({ path, outcome, text, version, isSaved }: FileReview): string {
  const state = [outcome, ...(version === '' ? [] : [`version ${version}`]), isSaved ? 'saved' : 'not saved'].join(', ');
  return text === undefined ? `${path}: ${state}` : `${path}: ${state}; its text is now:\n${text}`;
}
