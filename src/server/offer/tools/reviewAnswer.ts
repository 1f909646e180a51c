import { hasCode } from '../../../base/errors.ts';
import type { FileReview } from '../../seen/ports/actingPort.ts';
import type { DiagnosticEntry } from '../../seen/ports/editorPort.ts';
import { fitItems } from './budget.ts';
import { cutText } from './textLines.ts';
import type { EditorCall } from './tool.ts';

/** How long language services get to look at the new text. */
const settleMs = 5_000;
const maxDiagnostics = 200;
/** Of all texts together, and of the diagnostics, as structure; what is left is for everything else. */
const maxTextChars = 12_000;
const maxDiagnosticChars = 10_000;

/** What a client gets to know after a review. */
export interface ReviewAnswer {
  readonly files: readonly FileReview[];
  readonly diagnostics: DiagnosticEntry[];
  /** What is left out, and where to find it. */
  readonly notes: readonly string[];
}

/**
 * The files as they are for this client now, with fresh diagnostics of what was changed. A retry gets the answer of an earlier
 * review: what is withheld by now looks absent.
 */
export async function answerAfterReview(files: readonly FileReview[], context: EditorCall): Promise<ReviewAnswer> {
  const looks = await Promise.all(files.map((file) => look(file, context)));
  const found = looks.flatMap(({ diagnostics }) => diagnostics);
  const diagnostics = [...fitItems(found.slice(0, maxDiagnostics), maxDiagnosticChars, diagnosticLine, 0)];
  const unsettled = looks.filter(({ isSettled }) => !isSettled).map(({ file }) => file.path);
  const { files: shown, cut } = cutTexts(looks.map(({ file }) => file));
  const notes = [
    ...(cut.length === 0 ? [] : [`The text of ${named(cut)} is cut: read_file has all of it.`]),
    ...(diagnostics.length === found.length ? [] : ['There are more diagnostics: get_diagnostics lists them.']),
    ...(unsettled.length === 0
      ? []
      : [`No language service has reported on ${named(unsettled)} yet: get_diagnostics with waitMs asks again.`]),
  ];
  return { files: shown, diagnostics, notes };
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

/** The texts share what there is for them, the first ones first. */
function cutTexts(files: readonly FileReview[]): { readonly files: readonly FileReview[]; readonly cut: readonly string[] } {
  const cut: string[] = [];
  let left = maxTextChars;
  const shown = files.map((file) => {
    if (file.text === undefined) {
      return file;
    }
    // Line breaks and quotes take two characters as structure, and control characters more.
    const weight = JSON.stringify(file.text).length / Math.max(1, file.text.length);
    const { shown: text, rest } = cutText(file.text, Math.floor(left / weight));
    left = Math.max(0, left - JSON.stringify(text).length);
    if (rest !== undefined) {
      cut.push(file.path);
    }
    return { ...file, text };
  });
  return { files: shown, cut };
}

function named(paths: readonly string[]): string {
  const most = 5;
  return `${paths.slice(0, most).join(', ')}${paths.length > most ? ` and ${paths.length - most} more` : ''}`;
}

/** One line for a model. */
export function diagnosticLine({ path, range: { start }, severity, message, source, code }: DiagnosticEntry): string {
  const from = [source, code].filter((part) => part !== undefined).join(' ');
  return `${path}:${start.line}:${start.character} ${severity}: ${message}${from === '' ? '' : ` (${from})`}`;
}

/** A file's part of the answer as text. */
export function fileLines({ path, outcome, text, version, isSaved }: FileReview): string {
  const state = [outcome, ...(version === '' ? [] : [`version ${version}`]), isSaved ? 'saved' : 'not saved'].join(', ');
  return text === undefined ? `${path}: ${state}` : `${path}: ${state}; its text is now:\n${text}`;
}
