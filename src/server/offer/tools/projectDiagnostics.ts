import { hasCode } from '../../../base/errors.ts';
import type { CheckAnswer, DiagnosticEntry, DiagnosticsAnswer, DiagnosticsQuery } from '../../seen/ports/editorPort.ts';
import type { CallContext } from '../catalog/catalog.ts';
import { invalidCursor, placeCursor, placeInCursor } from '../catalog/cursor.ts';
import { pathUnlessAll } from './shapes.ts';
import type { EditorCall } from './tool.ts';

/** The most files that one call looks at. */
const maxFiles = 10_000;
/** How long, in ms, a check may take for a client that gets no progress and gives up after 30 seconds. */
const silentCheckMs = 20_000;
/** How long, in ms, a check may take for a client that gets progress and waits on. */
const progressCheckMs = 120_000;
/** How often, in ms, progress is reported. */
const pulseMs = 2_000;

/** The files that a question is about. */
interface Where {
  readonly pattern: string;
  readonly folder?: string;
}

interface ProjectQuestion extends Pick<DiagnosticsQuery, 'severity' | 'source'> {
  readonly where: Where;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of diagnostics before it is known how many of them fit into the answer. */
export interface FoundPage extends Pick<DiagnosticsAnswer, 'diagnostics' | 'documents' | 'settled' | 'total'> {
  readonly note: string;
  /** Where to go on when so many of the diagnostics are shown; `undefined` at the end. */
  readonly cursorAfter: (shown: readonly DiagnosticEntry[]) => string | undefined;
}

const everything: Where = { pattern: '**' };

/** The files that a path means which is no file; rethrows the error where it means none. */
export function whereOf(path: string | undefined, error?: unknown): Where {
  if (path === undefined || pathUnlessAll(path) === undefined) {
    return everything;
  }
  if (hasCode(error, 'editor.isFolder')) {
    return { ...everything, folder: path };
  }
  if (hasCode(error, 'editor.pathNotFound') && /[*?[\]{}]/.test(path)) {
    return { pattern: path };
  }
  throw error;
}

/** Where a page begins: after which file, how many of the next file's diagnostics were told, and how many of all. */
interface Place {
  readonly after?: string;
  readonly skip: number;
  readonly before: number;
}

function placeIn(cursor: string | undefined, mark: readonly unknown[]): Place {
  if (cursor === undefined) {
    return { skip: 0, before: 0 };
  }
  const [after, skip, before] = placeInCursor(cursor, mark);
  if (typeof after !== 'string' || typeof skip !== 'number' || typeof before !== 'number') {
    throw invalidCursor();
  }
  return { ...(after !== '' && { after }), skip, before };
}

/** Checks all files of a project, folder or glob, closed ones too: as many as there is time for. */
export async function checkProject(question: ProjectQuestion, { editor, call }: EditorCall): Promise<FoundPage> {
  const { where, severity, source, limit, cursor } = question;
  const mark = ['project', where.pattern, where.folder, severity, source];
  const place = placeIn(cursor, mark);
  const listed = { ...where, includeIgnored: false, limit: maxFiles, after: place.after };
  const { files, hasMore } = await editor.workspace.findFiles(listed, call.signal);
  if (files.length === 0) {
    const note = place.after === undefined ? noFiles(where) : 'There is nothing more.';
    return { diagnostics: [], documents: [], settled: true, total: place.before, note, cursorAfter: () => undefined };
  }
  const answer = await withProgress(call, files.length, (timeMs, onProgress) =>
    editor.checkFiles({ files, severity, source, skip: place.skip, limit, timeMs, onProgress }, call.signal),
  );
  const isCut = hasMore || answer.checked < files.length;
  const note = [isCut ? cutNote(answer.checked, files.length, hasMore) : '', ...(await notesOn(answer, { editor, call }))];
  return {
    diagnostics: answer.diagnostics,
    documents: documentsOf(answer.diagnostics, answer.documents),
    settled: !isCut && answer.silent.length + answer.unheard.length + answer.unloaded === 0,
    total: place.before + answer.total,
    note: note.filter((sentence) => sentence !== '').join(' '),
    cursorAfter: (shown) => {
      const next = nextPlace(files, answer, place, shown) ?? (isCut ? placeAfter(files[answer.checked - 1], place) : undefined);
      return next === undefined ? undefined : placeCursor([...next, place.before + shown.length], mark);
    },
  };
}

export function documentsOf(
  shown: readonly DiagnosticEntry[],
  documents: DiagnosticsAnswer['documents'],
): [...DiagnosticsAnswer['documents']] {
  const paths = new Set(shown.map(({ path }) => path));
  return documents.filter(({ path }) => paths.has(path));
}

function noFiles({ pattern, folder }: Where): string {
  const what = folder === undefined ? `No file matches "${pattern}"` : `There is no file in "${folder}"`;
  return `${what} that git does not ignore: pass the path of a single file to check one that it does.`;
}

/** Where the rest of the diagnostics begins that were found and are not shown. */
function nextPlace(
  files: readonly string[],
  { total }: CheckAnswer,
  { after = '', skip }: Place,
  shown: readonly DiagnosticEntry[],
): [string, number] | undefined {
  const last = shown.at(-1)?.path;
  if (shown.length >= total || last === undefined) {
    return undefined;
  }
  const index = files.indexOf(last);
  const told = shown.filter(({ path }) => path === last).length;
  return [files[index - 1] ?? after, told + (index === 0 ? skip : 0)];
}

/** Where the files begin that there was no time for: where this page began when there was time for none. */
function placeAfter(lastChecked: string | undefined, { after = '', skip }: Place): [string, number] {
  return lastChecked === undefined ? [after, skip] : [lastChecked, 0];
}

async function withProgress(
  call: CallContext,
  total: number,
  work: (timeMs: number, onProgress: (done: number) => void) => Promise<CheckAnswer>,
): Promise<CheckAnswer> {
  if (!call.wantsProgress) {
    return work(silentCheckMs, () => undefined);
  }
  let done = 0;
  let told = 0;
  const pulse = setInterval(() => {
    told = Math.max(done, told + 0.01); // it has to rise although nothing is done while a service reads its project
    call.reportProgress(told, `${done} of ${total} files checked`, total);
  }, pulseMs);
  try {
    return await work(progressCheckMs, (now) => (done = now));
  } finally {
    clearInterval(pulse);
  }
}

function cutNote(checked: number, listed: number, hasMore: boolean): string {
  const of = hasMore ? `the first ${listed.toLocaleString('en')}` : listed.toLocaleString('en');
  return `Looked at ${checked.toLocaleString('en')} of ${of} files, and total counts their problems: pass nextCursor as cursor to go on.`;
}

/** What can be run for languages whose service says nothing of closed files. */
const commands: Readonly<Record<string, string>> = {
  '.ts': 'npx tsc --noEmit',
  '.tsx': 'npx tsc --noEmit',
  '.js': 'npx tsc --noEmit --allowJs --checkJs',
  '.py': 'python -m mypy .',
  '.go': 'go vet ./...',
  '.rs': 'cargo check',
  '.java': 'mvn -q compile',
  '.kt': 'gradle compileKotlin',
  '.cs': 'dotnet build',
  '.c': 'make',
  '.cc': 'make',
  '.cpp': 'make',
  '.php': 'php -l FILE',
  '.rb': 'ruby -wc FILE',
  '.swift': 'swift build',
  '.vue': 'npx vue-tsc --noEmit',
  '.svelte': 'npx svelte-check',
};

async function notesOn({ silent, unloaded, unheard }: CheckAnswer, { editor, call }: EditorCall): Promise<string[]> {
  const notes: string[] = [];
  if (silent.length > 0) {
    const named = silent.map(({ ending, count }) => `${count} ${ending}`).join(', ');
    const builds = (await editor.workspace.listTasks(call.signal)).filter(({ group }) => group === 'build').slice(0, 3);
    const tasks = builds.map(({ name }) => `run_task "${name}" (what its problem matcher finds is listed here)`);
    const known = silent.flatMap(({ ending }) => (commands[ending] === undefined ? [] : [`\`${commands[ending]}\` in a terminal`]));
    const instead = [...tasks, ...new Set(known), 'open_file for single ones'].join(', or ');
    notes.push(`No language service reported on these files, so only what was known of them is listed: ${named}. Instead: ${instead}.`);
  }
  if (unloaded > 0) {
    notes.push(
      `${unloaded} files belong to no project that a service knows, and so many are not opened at once: pass a folder or glob of them as path.`,
    );
  }
  if (unheard.length > 0) {
    notes.push(`The service did not answer in time, or not yet about what the disk has now, on ${unheard.join(', ')}: ask again.`);
  }
  return notes;
}
