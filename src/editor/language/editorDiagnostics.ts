import * as vscode from 'vscode';
import { hasCode, isAppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { DiagnosticEntry, DiagnosticsAnswer, DiagnosticsQuery, Severity } from '../../server/seen/ports/editorPort.ts';
import { fromClientPath, toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { askChecked, catchUpMs, checkedDocument, type CheckedLook, foreignNames } from '../documents/checkedDocument.ts';
import type { DiskNews } from '../documents/diskNews.ts';
import { checkDocument } from '../documents/readDocument.ts';
import type { TextVersions } from '../documents/versions.ts';
import { findNotebook, findTextDocument, openTabs, refuseFolder } from '../shared/openDocuments.ts';
import { Slices } from '../../base/slices.ts';
import { FreshAnswers, withFile } from './freshAnswers.ts';
import { ReportedFiles, Reports } from './reports.ts';
import { isTypescript, isTypescriptName, type SaidDiagnostic } from './typescriptService.ts';

const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** The least wait, in ms, for the TypeScript service, which may have to start first. */
const typescriptMs = 8_000;
/** The least wait, in ms, for any other language service when the file had to be loaded first. */
const loadedMs = 1_000;

/** When, in ms after a question about one file, the least waits end, too: some seconds later the whole call would fail. */
const leastEndMs = 24_000;

/** The most documents that are named as not reported on. */
const maxUnheard = 5;

/** The least wait, in ms, for what a list has to be asked anew. */
const listMs = 1_500;

const anyTypescript = { isTypescript: true };

interface FileDiagnostics {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly entries: readonly SaidDiagnostic[];
}

/** What language services say about the workspace, and whether they have finished saying it. */
export class EditorDiagnostics implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<readonly string[]>());
  readonly #versions: TextVersions;
  readonly #disk: DiskNews;
  readonly #fresh: FreshAnswers;
  readonly #reports = this.#lifetime.add(new Reports());
  readonly #files = this.#lifetime.add(new ReportedFiles());

  readonly onDidChange = this.#changed.event;

  constructor(versions: TextVersions, disk: DiskNews) {
    this.#versions = versions;
    this.#disk = disk;
    this.#fresh = new FreshAnswers(disk);
    this.#lifetime.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#changed.fire(uris.map(toClientPath))));
  }

  async get(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer> {
    if (query.path !== undefined) {
      return this.#ofFile(query.path, query, signal);
    }
    const began = performance.now();
    const deadline = began + Math.max(listMs, query.waitMs);
    const asked = await this.#disk.steadily(anyTypescript, deadline - began, signal, async () => {
      const silent = await this.#reports.waitForAll(query.waitMs - (performance.now() - began), signal);
      const atLeast = Math.max(deadline, performance.now() + listMs);
      const stale = await this.#fresh.refresh(this.#look(), { deadline: atLeast, isShown: query.isShown, signal });
      const unheard = [...silent, ...this.#look().flatMap(([uri]) => (this.#reports.isUnheard(uri) ? [uri] : []))];
      return { silent: unheard.filter((uri) => !this.#fresh.isKnown(uri)), stale };
    });
    const { silent, stale } = asked.answer;
    return this.#ofWorkspace(await this.#list(query), { silent, behind: [...asked.behind, ...asked.held, ...stale] }, query);
  }

  /** The files of VS Code's list, in slices: there may be ten thousand. */
  async #list(query: PageQuery): Promise<FileDiagnostics[]> {
    const slices = new Slices();
    const reported = withFile(this.#fresh.withTabs(this.#look()));
    await slices.pauseIfUsedUp();
    await this.#files.learnPaths(reported, slices);
    const judge = judgeOf(query);
    const found: FileDiagnostics[] = [];
    for (const file of this.#files.inOrder(reported)) {
      const left = judge({ ...file, entries: this.#fresh.entriesOf(file.uri, file.entries) });
      if (left !== undefined) {
        found.push(left);
      }
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
    }
    return found;
  }

  /** The diagnostics that are known now, at once; `undefined` if something has to be compared with the disk first. */
  known(query: PageQuery): DiagnosticsAnswer | undefined {
    const isEmpty = this.#look().length === 0 && openTabs().every(({ uri }) => uri.scheme !== 'file');
    return isEmpty ? this.#ofWorkspace([], { silent: this.#reports.silent(), behind: [] }, query) : undefined;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #look(): ReturnType<ReportedFiles['reported']> {
    return this.#files.reported();
  }

  #ofWorkspace(files: readonly FileDiagnostics[], unknown: Unknown, query: PageQuery): DiagnosticsAnswer {
    const { shown, diagnostics, total } = pageOf(files, query);
    return { diagnostics, total, documents: this.#openDocuments(shown), ...settledBut(unknown, query) };
  }

  async #ofFile(path: string, query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer> {
    const uri = fromClientPath(path);
    const { waitMs, isShown } = query;
    const began = performance.now();
    const wasLoaded = findTextDocument(uri.toString()) !== undefined;
    const load = (): Promise<vscode.TextDocument | undefined> =>
      loadDocument(uri, { path, isShown, signal, waitMs: began + waitMs - performance.now() });
    // Whatever changes meanwhile is asked about again, but nobody waits longer for that.
    let deadline: number | undefined;
    const hear = async (document: vscode.TextDocument | undefined): Promise<readonly SaidDiagnostic[] | undefined> => {
      if (document === undefined) {
        return undefined;
      }
      const leastMs = isTypescript(document) ? typescriptMs : wasLoaded ? 0 : loadedMs;
      deadline ??= Math.max(began + waitMs, Math.min(performance.now() + leastMs, began + leastEndMs));
      return this.#heardOf(document, deadline, signal);
    };
    const ask = (): Promise<readonly SaidDiagnostic[] | undefined> => askChecked(path, load, hear);
    const interest = { uri, isTypescript: isTypescriptName(uri) };
    const asked = await this.#disk.steadily(interest, Math.max(catchUpMs, waitMs), signal, () => ask().catch(behindOrThrow));
    const { answer } = asked;
    const said = answer === 'behind' ? undefined : answer;
    const file = { uri, path: toClientPath(uri), entries: said ?? vscode.languages.getDiagnostics(uri) };
    const left = judgeOf(query)(file);
    const { diagnostics, total } = pageOf(left === undefined ? [] : [left], query);
    const behind = [...(answer === 'behind' ? [uri] : []), ...asked.behind, ...asked.held];
    const unknown = { silent: answer === undefined ? [uri] : [], behind };
    return { diagnostics, total, documents: this.#openDocuments([uri]), ...settledBut(unknown, query) };
  }

  /** What is said of the document as it is now; `undefined` when nobody said anything in time. */
  async #heardOf(document: vscode.TextDocument, deadline: number, signal: AbortSignal): Promise<readonly SaidDiagnostic[] | undefined> {
    if (!isTypescript(document)) {
      const isHeard = await this.#reports.waitFor(document, deadline - performance.now(), signal);
      return isHeard ? vscode.languages.getDiagnostics(document.uri) : undefined;
    }
    return this.#fresh.ask(document, { deadline, signal });
  }

  #openDocuments(uris: readonly vscode.Uri[]): DiagnosticsAnswer['documents'] {
    return uris.flatMap((uri) => {
      const document = findTextDocument(uri.toString());
      const version = document === undefined ? '' : this.#versions.ofDocument(document);
      return document === undefined ? [] : [{ path: toClientPath(uri), version, isDirty: document.isDirty }];
    });
  }
}

/** What an answer does not know. */
interface Unknown {
  /** The files on which no language service has reported since they were opened or last changed. */
  readonly silent: readonly vscode.Uri[];
  /** The files of which VS Code does not have what the disk has, or has it, but was not asked again in time. */
  readonly behind: readonly vscode.Uri[];
}

function settledBut(
  { silent, behind }: Unknown,
  { isShown = () => true }: PageQuery,
): Pick<DiagnosticsAnswer, 'settled' | 'unheard' | 'behind'> {
  const pathsOf = (uris: readonly vscode.Uri[]): string[] => [...new Set(uris.map(toClientPath))].filter(isShown);
  const unheard = pathsOf(silent);
  const late = pathsOf(behind);
  return {
    settled: unheard.length === 0 && late.length === 0,
    unheard: unheard.slice(0, maxUnheard),
    ...(late.length > 0 && { behind: late.slice(0, maxUnheard) }),
  };
}

function behindOrThrow(error: unknown): 'behind' {
  if (hasCode(error, 'editor.behindDisk')) {
    return 'behind';
  }
  throw error;
}

/**
 * Loads a document without showing it, so that language services hear of it. The result is `undefined` for a file that is no
 * text, or too large.
 */
async function loadDocument(uri: vscode.Uri, look: CheckedLook): Promise<vscode.TextDocument | undefined> {
  if (findTextDocument(uri.toString()) === undefined && (uri.scheme === 'file' || vscode.languages.getDiagnostics(uri).length === 0)) {
    await refuseFolder(uri, look.path);
    await checkDocument(look.path);
  }
  if (findNotebook(uri.toString()) !== undefined) {
    return undefined;
  }
  try {
    return await checkedDocument(uri, look);
  } catch (error) {
    if (isAppError(error) && !hasCode(error, 'editor.binary') && !hasCode(error, 'editor.tooLarge')) {
      throw error;
    }
    look.signal.throwIfAborted();
    return undefined;
  }
}

type PageQuery = Omit<DiagnosticsQuery, 'path' | 'waitMs'>;

/**
 * One page of diagnostics. They are counted file by file, so that of a hundred thousand only those on the page are looked at
 * closely.
 */
function pageOf(
  files: readonly FileDiagnostics[],
  query: PageQuery,
): Pick<DiagnosticsAnswer, 'diagnostics' | 'total'> & { readonly shown: readonly vscode.Uri[] } {
  const total = files.reduce((sum, { entries }) => sum + entries.length, 0);
  return { ...page(files, query.offset ?? 0, query.limit ?? Infinity), total };
}

/** Makes a function that leaves of a file's diagnostics those that the query is about; `undefined` for a file that is not shown. */
export function judgeOf({ severity, source, isShown = () => true }: PageQuery): (file: FileDiagnostics) => FileDiagnostics | undefined {
  const worst = severity === undefined ? severities.length - 1 : severities.indexOf(severity);
  const foreign = foreignNames();
  const takesAll = worst === severities.length - 1 && source === undefined;
  return (file) => {
    if (!isShown(file.path) || (foreign.size > 0 && foreign.has(file.uri.toString()))) {
      return undefined;
    }
    return takesAll ? file : { ...file, entries: file.entries.filter((entry) => matches(entry, worst, source)) };
  };
}

function matches(entry: SaidDiagnostic, worst: number, source: string | undefined): boolean {
  return severities.indexOf(severities[entry.severity] ?? 'hint') <= worst && (source === undefined || entry.source === source);
}

function page(files: readonly FileDiagnostics[], offset: number, limit: number): { shown: vscode.Uri[]; diagnostics: DiagnosticEntry[] } {
  const shown: vscode.Uri[] = [];
  const diagnostics: DiagnosticEntry[] = [];
  let before = 0;
  for (const { uri, path, entries } of files) {
    const from = Math.max(0, offset - before);
    const to = Math.min(entries.length, offset + limit - before);
    if (from < to) {
      const ordered = [...entries].sort((a, b) => a.range.start.compareTo(b.range.start));
      diagnostics.push(...ordered.slice(from, to).map((entry) => describe(path, entry)));
      shown.push(uri);
    }
    before += entries.length;
  }
  return { shown, diagnostics };
}

export function describe(path: string, entry: SaidDiagnostic): DiagnosticEntry {
  const code = codeOf(entry);
  return {
    path,
    range: toTextRange(entry.range),
    severity: severities[entry.severity] ?? 'hint',
    message: entry.message,
    ...(entry.source === undefined ? {} : { source: entry.source }),
    ...(code === undefined ? {} : { code }),
  };
}

function codeOf(entry: SaidDiagnostic): string | undefined {
  const code = typeof entry.code === 'object' ? entry.code.value : entry.code;
  return code === undefined ? undefined : String(code);
}
