import * as z from 'zod';
import { hasCode } from '../../../base/errors.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { EditsReview, FileReview, TextEdit, WantedText } from '../../seen/ports/actingPort.ts';
import type { DiagnosticEntry } from '../../seen/ports/editorPort.ts';
import { clip, fitItems, maxReasonChars, usualChars } from './answers.ts';
import { replacedDeclaration } from './declarationText.ts';
import { symbolName } from './languageShapes.ts';
import { textRange } from './shapes.ts';
import { cutAtLine } from './sourceText.ts';
import { symbolsIn } from './symbolPlace.ts';
import type { EditorCall } from './tool.ts';

/** One change of a text, as propose_edit and propose_edits take it. */
const textEdit = z
  .strictObject({
    oldText: z.string().optional().describe('Must occur once'),
    newText: z.string(),
    replaceAll: z.boolean().optional(),
    range: textRange.optional().describe('Instead of oldText'),
    symbol: symbolName.optional().describe('Or a declaration'),
  })
  .refine(({ oldText, range, symbol }) => [oldText, range, symbol].filter((each) => each !== undefined).length === 1, {
    path: ['oldText'],
    error: 'give either oldText, range or symbol',
  })
  .refine(({ oldText, replaceAll }) => oldText !== undefined || replaceAll !== true, {
    path: ['replaceAll'],
    error: 'only with oldText',
  });

/** The most edits of one file: more than anybody would look through, and few enough to be read at once. */
const maxEdits = 1_000;
export const editsInput = z.array(textEdit).min(1).max(maxEdits);

export const expectedVersion = z.string().max(200).optional();

export const changeDescription = z.string().max(2_000).optional().describe('Why');

export const saveInput = z.boolean().optional().describe('Offer saving');

export const outcome = z.enum(['accepted', 'partlyAccepted', 'rejected']);

/** The text of a file as a call gives it. */
export interface GivenText {
  readonly path: string;
  readonly newText?: string | undefined;
  readonly edits?: z.output<typeof editsInput> | undefined;
  readonly expectedVersion?: string | undefined;
}

/** What is wanted of a text, and of which version; there is no text when neither a new text nor edits are given. */
interface Wanted {
  readonly text: WantedText | undefined;
  readonly expectedVersion?: string;
}

/** The most edits of one file that name a symbol: each is looked for in the whole outline. */
const maxSymbols = 50;

/**
 * Reads what a call wants of a text. Symbols are looked up in the text as it is, and the edits then count for that text alone:
 * their places mean nothing in another one.
 */
export async function wantedText(given: GivenText, { editor }: EditorCall, signal: AbortSignal): Promise<Wanted> {
  const { path, newText, edits, expectedVersion: expected } = given;
  if (newText !== undefined || edits === undefined) {
    const text = newText === undefined ? undefined : { newText };
    return { text, ...(expected !== undefined && { expectedVersion: expected }) };
  }
  const symbols = edits.filter(({ symbol }) => symbol !== undefined).length;
  if (symbols > maxSymbols) {
    throw clientError('server.tooManySymbols', { limit: maxSymbols });
  }
  if (symbols === 0) {
    return { text: { edits: edits.map((edit) => toTextEdit(edit)) }, ...(expected !== undefined && { expectedVersion: expected }) };
  }
  let whole = '';
  const { version } = await editor.documents.read(path, signal, (text) => {
    whole = text;
    return { from: 0, to: 0 };
  });
  const find = symbolsIn(await editor.language.getDocumentSymbols(path, signal), path);
  const placed = edits.map((edit) => {
    const found = edit.symbol === undefined ? undefined : find(edit.symbol);
    return toTextEdit(edit, found && replacedDeclaration(whole, found.range, edit.newText));
  });
  return { text: { edits: placed }, expectedVersion: expected ?? version };
}

function toTextEdit({ oldText = '', newText, replaceAll, range: given }: z.output<typeof textEdit>, range = given): TextEdit {
  return range === undefined ? { oldText, newText, ...(replaceAll === true && { replaceAll }) } : { range, newText };
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
  const bare = fitItems(files.map(withoutText), maxFileChars, outcomeLines, 0);
  const room = usualChars - frameChars - JSON.stringify([reason, bare]).length;
  const { files: shown, cut } = cutTexts(files.slice(0, bare.length), Math.floor(room * 0.55));
  const found = looks.flatMap(({ diagnostics }) => diagnostics);
  const clipped = found.slice(0, maxDiagnostics).map((entry) => ({ ...entry, message: clip(entry.message, maxMessageChars) }));
  const diagnostics = [...fitItems(clipped, Math.floor(room * 0.45), diagnosticLine, 0)];
  const unsettled = looks.filter(({ isSettled }) => !isSettled).map(({ file }) => file.path);
  const notes = [
    ...(shown.length === files.length ? [] : [`${files.length - shown.length} more files of the proposal are not listed.`]),
    ...shown.flatMap(({ path, movedFiles }) =>
      movedFiles === undefined ? [] : [`${path} was moved with all files in it: get_diagnostics tells what that broke.`],
    ),
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

/** Names the first of these paths, and how many more there are. */
export function named(paths: readonly string[]): string {
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
export function outcomeLines({ path, outcome, text, version, isSaved, movedFiles }: FileReview): string {
  const files = movedFiles === undefined ? [] : [`${movedFiles} files moved with it`];
  const state = [outcome, ...files, ...(version === '' ? [] : [`version ${version}`]), isSaved ? 'saved' : 'not saved'].join(', ');
  return text === undefined ? `${path}: ${state}` : `${path}: ${state}; its text is now:\n${text}`;
}
