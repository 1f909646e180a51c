import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { DiagnosticEntry, DiagnosticsAnswer, DiagnosticsQuery, Severity, TextRange } from '../server/ports/editorPort.ts';
import { fromClientPath, toClientPath } from './clientPaths.ts';

/** No change for this long counts as settled: language services report in bursts. */
const quietMs = 500;

const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** What language services say about the workspace, with a notion of whether they have finished saying it. */
export class Diagnostics implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  #lastActivity = 0;

  readonly onDidChange = this.#changed.event;

  constructor() {
    const touch = (): void => {
      this.#lastActivity = performance.now();
    };
    this.#lifetime.add(
      vscode.languages.onDidChangeDiagnostics(() => {
        touch();
        this.#changed.fire();
      }),
    );
    this.#lifetime.add(vscode.workspace.onDidChangeTextDocument(touch));
    this.#lifetime.add(vscode.workspace.onDidOpenTextDocument(touch));
  }

  async get(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer> {
    const only = query.path === undefined ? undefined : fromClientPath(query.path);
    const settled = await this.#waitUntilSettled(query.waitMs, signal);
    const all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] =
      only === undefined ? vscode.languages.getDiagnostics() : [[only, vscode.languages.getDiagnostics(only)]];
    const diagnostics = all.flatMap(([uri, entries]) => describeAll(uri, entries, query)).sort(compareEntries);
    return { diagnostics, documents: openDocuments(all.map(([uri]) => uri)), settled };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #waitUntilSettled(waitMs: number, signal: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const now = performance.now();
      const quietIn = this.#lastActivity + quietMs - now;
      if (quietIn <= 0 || now >= deadline) {
        return quietIn <= 0;
      }
      await delay(Math.min(quietIn, deadline - now), signal);
    }
  }
}

function describeAll(uri: vscode.Uri, entries: readonly vscode.Diagnostic[], query: DiagnosticsQuery): DiagnosticEntry[] {
  const worst = query.severity === undefined ? severities.length - 1 : severities.indexOf(query.severity);
  const path = toClientPath(uri);
  return entries
    .map((entry) => ({ entry, severity: severities[entry.severity] ?? 'hint' }))
    .filter(({ severity }) => severities.indexOf(severity) <= worst)
    .filter(({ entry }) => query.source === undefined || entry.source === query.source)
    .map(({ entry, severity }) => {
      const code = codeOf(entry);
      return {
        path,
        range: toRange(entry.range),
        severity,
        message: entry.message,
        ...(entry.source === undefined ? {} : { source: entry.source }),
        ...(code === undefined ? {} : { code }),
      };
    });
}

function codeOf(entry: vscode.Diagnostic): string | undefined {
  const code = typeof entry.code === 'object' ? entry.code.value : entry.code;
  return code === undefined ? undefined : String(code);
}

function toRange(range: vscode.Range): TextRange {
  return {
    start: { line: range.start.line + 1, character: range.start.character + 1 },
    end: { line: range.end.line + 1, character: range.end.character + 1 },
  };
}

function compareEntries(a: DiagnosticEntry, b: DiagnosticEntry): number {
  if (a.path !== b.path) {
    return a.path < b.path ? -1 : 1;
  }
  return a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character;
}

function openDocuments(uris: readonly vscode.Uri[]): DiagnosticsAnswer['documents'] {
  const wanted = new Set(uris.map((uri) => uri.toString()));
  return vscode.workspace.textDocuments
    .filter((document) => wanted.has(document.uri.toString()))
    .map((document) => ({ path: toClientPath(document.uri), version: document.version, isDirty: document.isDirty }));
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
