import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { DiagnosticEntry, DiagnosticsAnswer, DiagnosticsQuery, Severity } from '../../server/seen/ports/editorPort.ts';
import { fromClientPath, toClientPath } from '../shared/clientUris.ts';
import { checkDocument } from '../documents/readDocument.ts';
import { findTextDocument } from '../shared/openDocuments.ts';
import { toTextRange } from '../shared/ranges.ts';
import { Settling } from './settling.ts';

const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

interface FileDiagnostics {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly entries: readonly vscode.Diagnostic[];
}

/** What language services say about the workspace, with a notion of whether they have finished saying it. */
export class EditorDiagnostics implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<readonly string[]>());
  readonly #settling = this.#lifetime.add(new Settling());

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#lifetime.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#changed.fire(uris.map(toClientPath))));
  }

  async get(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer> {
    const only = query.path === undefined ? undefined : fromClientPath(query.path);
    if (query.path !== undefined && only !== undefined && vscode.languages.getDiagnostics(only).length === 0) {
      await checkDocument(query.path);
    }
    const settled = await this.#settling.wait(only, query.waitMs, signal);
    const files = matchingFiles(query, only);
    const { shown, diagnostics } = page(files, query.offset ?? 0, query.limit ?? Infinity);
    const total = files.reduce((sum, { entries }) => sum + entries.length, 0);
    return { diagnostics, documents: openDocuments(only === undefined ? shown : [only]), settled, total };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** Counted file by file; with a hundred thousand diagnostics only those on the page are looked at closely. */
function matchingFiles({ severity, source, isShown = () => true }: DiagnosticsQuery, only: vscode.Uri | undefined): FileDiagnostics[] {
  const worst = severity === undefined ? severities.length - 1 : severities.indexOf(severity);
  const all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] =
    only === undefined ? vscode.languages.getDiagnostics() : [[only, vscode.languages.getDiagnostics(only)]];
  const takesAll = worst === severities.length - 1 && source === undefined;
  return all
    .filter(([, entries]) => entries.length > 0)
    .map(([uri, entries]) => ({ uri, path: toClientPath(uri), entries }))
    .filter(({ path }) => isShown(path))
    .map(({ uri, path, entries }) => ({
      uri,
      path,
      entries: takesAll ? entries : entries.filter((entry) => matches(entry, worst, source)),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function matches(entry: vscode.Diagnostic, worst: number, source: string | undefined): boolean {
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

function describe(path: string, entry: vscode.Diagnostic): DiagnosticEntry {
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

function codeOf(entry: vscode.Diagnostic): string | undefined {
  const code = typeof entry.code === 'object' ? entry.code.value : entry.code;
  return code === undefined ? undefined : String(code);
}

function openDocuments(uris: readonly vscode.Uri[]): DiagnosticsAnswer['documents'] {
  return uris.flatMap((uri) => {
    const document = findTextDocument(uri.toString());
    return document === undefined ? [] : [{ path: toClientPath(uri), version: document.version, isDirty: document.isDirty }];
  });
}
