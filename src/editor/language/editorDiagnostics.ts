import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { DiagnosticEntry, DiagnosticsAnswer, DiagnosticsQuery, Severity } from '../../server/seen/ports/editorPort.ts';
import { fromClientPath, toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { checkDocument } from '../documents/readDocument.ts';
import type { TextVersions } from '../documents/versions.ts';
import { findNotebook, findTextDocument, refuseFolder } from '../shared/openDocuments.ts';
import { Slices } from '../../base/slices.ts';
import { ReportedFiles, Reports } from './reports.ts';
import { askTypescript, isOfTypescript, isTypescript, type SaidDiagnostic } from './typescriptService.ts';

const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/**
 * The least wait, in ms, for the TypeScript service, which may have to start first, and for any service when the file had to be
 * loaded first.
 */
const typescriptMs = 8_000;
const loadedMs = 1_000;

/** The most documents that are named as not reported on. */
const maxUnheard = 5;

/** The most files that are looked through at once: with more, others have to get their turn meanwhile. */
const maxAtOnce = 200;

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
  readonly #reports = this.#lifetime.add(new Reports());
  readonly #files = this.#lifetime.add(new ReportedFiles());
  /** The number of files with diagnostics at the last look. */
  #fileCount = 0;

  readonly onDidChange = this.#changed.event;

  constructor(versions: TextVersions) {
    this.#versions = versions;
    this.#lifetime.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#changed.fire(uris.map(toClientPath))));
  }

  async get(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer> {
    if (query.path !== undefined) {
      return this.#ofFile(query.path, query, signal);
    }
    const silent = await this.#reports.waitForAll(query.waitMs, signal);
    const slices = new Slices();
    const reported = this.#look();
    await slices.pauseIfUsedUp();
    await this.#files.learnPaths(reported, slices);
    const judge = judgeOf(query);
    const found: FileDiagnostics[] = [];
    for (const file of this.#files.inOrder(reported)) {
      const left = judge(file);
      if (left !== undefined) {
        found.push(left);
      }
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
    }
    return this.#ofWorkspace(found, silent, query);
  }

  /** The diagnostics that are known now, at once; `undefined` if there are so many that others would have to wait. */
  known(query: Omit<DiagnosticsQuery, 'path' | 'waitMs'>): DiagnosticsAnswer | undefined {
    if (this.#fileCount > maxAtOnce) {
      return undefined;
    }
    const reported = this.#look();
    if (reported.length > maxAtOnce) {
      return undefined;
    }
    const judge = judgeOf(query);
    const files = this.#files.inOrder(reported).flatMap((file) => judge(file) ?? []);
    return this.#ofWorkspace(files, this.#reports.silent(), query);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #look(): ReturnType<ReportedFiles['reported']> {
    const reported = this.#files.reported();
    this.#fileCount = reported.length;
    return reported;
  }

  #ofWorkspace(files: readonly FileDiagnostics[], silent: readonly vscode.Uri[], query: PageQuery): DiagnosticsAnswer {
    const { isShown = () => true } = query;
    const unheard = silent.map(toClientPath).filter(isShown);
    const { shown, diagnostics, total } = pageOf(files, query);
    return {
      diagnostics,
      total,
      documents: this.#openDocuments(shown),
      settled: unheard.length === 0,
      unheard: unheard.slice(0, maxUnheard),
    };
  }

  async #ofFile(path: string, query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer> {
    const uri = fromClientPath(path);
    const wasLoaded = findTextDocument(uri.toString()) !== undefined;
    const document = await loadDocument(uri, path);
    const said = document === undefined ? undefined : await this.#heardOf(document, wasLoaded ? 0 : loadedMs, query.waitMs, signal);
    const file = { uri, path: toClientPath(uri), entries: said ?? vscode.languages.getDiagnostics(uri) };
    const left = judgeOf(query)(file);
    const { diagnostics, total } = pageOf(left === undefined ? [] : [left], query);
    const settled = said !== undefined;
    return { diagnostics, total, documents: this.#openDocuments([uri]), settled, unheard: settled ? [] : [toClientPath(uri)] };
  }

  /** What is said of the document as it is now; `undefined` when nobody said anything in time. */
  async #heardOf(
    document: vscode.TextDocument,
    leastMs: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<readonly SaidDiagnostic[] | undefined> {
    if (!isTypescript(document)) {
      const isHeard = await this.#reports.waitFor(document, Math.max(leastMs, waitMs), signal);
      return isHeard ? vscode.languages.getDiagnostics(document.uri) : undefined;
    }
    const deadline = performance.now() + Math.max(typescriptMs, waitMs);
    for (;;) {
      const { version } = document;
      const answer = await atMost(askTypescript(document), deadline - performance.now(), signal);
      if (answer === undefined) {
        return undefined;
      }
      if (document.version === version) {
        const others = vscode.languages
          .getDiagnostics(document.uri)
          .filter((entry) => !isOfTypescript(entry) && !answer.some(isSame(entry)));
        return [...answer, ...others];
      }
    }
  }

  #openDocuments(uris: readonly vscode.Uri[]): DiagnosticsAnswer['documents'] {
    return uris.flatMap((uri) => {
      const document = findTextDocument(uri.toString());
      const version = document === undefined ? '' : this.#versions.ofDocument(document);
      return document === undefined ? [] : [{ path: toClientPath(uri), version, isDirty: document.isDirty }];
    });
  }
}

/**
 * Whether two diagnostics are the same: a plugin of the TypeScript service has a name of its own as source, and VS Code reports
 * it too.
 */
function isSame(one: SaidDiagnostic): (other: SaidDiagnostic) => boolean {
  return (other) => one.message === other.message && one.range.isEqual(other.range);
}

/**
 * Loads a document without showing it, so that language services hear of it. The result is `undefined` for a file that is no
 * text, or too large.
 */
async function loadDocument(uri: vscode.Uri, path: string): Promise<vscode.TextDocument | undefined> {
  const open = findTextDocument(uri.toString());
  if (open !== undefined) {
    return open;
  }
  if (vscode.languages.getDiagnostics(uri).length === 0) {
    await refuseFolder(uri, path);
    await checkDocument(path);
  }
  return findNotebook(uri.toString()) === undefined
    ? Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined)
    : undefined;
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
function judgeOf({ severity, source, isShown = () => true }: PageQuery): (file: FileDiagnostics) => FileDiagnostics | undefined {
  const worst = severity === undefined ? severities.length - 1 : severities.indexOf(severity);
  const takesAll = worst === severities.length - 1 && source === undefined;
  return (file) => {
    if (!isShown(file.path)) {
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

function describe(path: string, entry: SaidDiagnostic): DiagnosticEntry {
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
