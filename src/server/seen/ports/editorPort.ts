// ports/: what the server needs of an editor, one file for each part; src/editor/ implements them for VS Code.
import type { Event } from '../../../base/events.ts';
import type { ActingPort } from './actingPort.ts';
import type { DebugPort } from './debugPort.ts';
import type { DocumentsPort, TextRange } from './documentsPort.ts';
import type { LanguagePort } from './languagePort.ts';
import type { TerminalsPort } from './terminalsPort.ts';
import type { TestsPort } from './testsPort.ts';
import type { UnsavedPort } from './unsavedPort.ts';
import type { WorkspacePort } from './workspacePort.ts';

/** Everything the embedded server needs of the editor. Paths, positions and enumerations are as clients see them. */
export interface EditorPort {
  readonly documents: DocumentsPort;
  readonly language: LanguagePort;
  readonly workspace: WorkspacePort;
  readonly terminals: TerminalsPort;
  readonly acting: ActingPort;
  readonly tests: TestsPort;
  readonly unsaved: UnsavedPort;
  readonly debug: DebugPort;
  listOpenEditors(): readonly OpenEditor[];
  listWorkspaceFolders(): readonly SeenFolder[];
  getDiagnostics(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer>;
  /** The diagnostics of the whole workspace without waiting; `undefined` if they have to be gathered, compared with the disk, or masked. */
  knownDiagnostics(query: Omit<DiagnosticsQuery, 'path' | 'waitMs'>): DiagnosticsAnswer | undefined;
  /** Checks files one after the other, open or not, until all are done or the time is up. */
  checkFiles(query: CheckQuery, signal: AbortSignal): Promise<CheckAnswer>;
  readonly onDidChangeOpenEditors: Event<void>;
  /** Fires with the client paths whose diagnostics changed, or without paths if they may have changed anywhere. */
  readonly onDidChangeDiagnostics: Event<readonly string[] | void>;
  readonly onDidChangeWorkspaceFolders: Event<void>;
}

export interface OpenEditor {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  readonly kind: 'text' | 'notebook' | 'custom' | 'diff' | 'webview' | 'terminal' | 'other';
  readonly isActive: boolean;
  readonly isDirty: boolean;
  readonly isPinned: boolean;
  readonly group: number;
}

export interface SeenFolder {
  readonly name: string;
  readonly path: string;
  readonly uri: string;
  readonly index: number;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface DiagnosticsQuery {
  readonly path?: string | undefined;
  /** The least severity: `warning` means warnings and errors. */
  readonly severity?: Severity | undefined;
  readonly source?: string | undefined;
  /** How long to wait for the language service to check the current text, in ms. */
  readonly waitMs: number;
  /** Where the page begins; by default at the first one. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /**
   * Says whether a path is shown to the client. It is called before anything is counted, so that totals and pages reveal nothing
   * about withheld files.
   */
  readonly isShown?: ((path: string) => boolean) | undefined;
}

/** The diagnostics that match, in a stable order. */
export interface DiagnosticsAnswer {
  readonly diagnostics: readonly DiagnosticEntry[];
  /** How many there are on all pages. */
  readonly total: number;
  readonly documents: readonly { readonly path: string; readonly version: string; readonly isDirty: boolean }[];
  /** Whether a language service has answered for the current text. */
  readonly settled: boolean;
  /** Some of the documents on which no language service has reported since they were opened or last changed. */
  readonly unheard?: readonly string[] | undefined;
  /** Some of the files that are otherwise on the disk than the language services know so far. */
  readonly behind?: readonly string[] | undefined;
}

export interface CheckQuery extends Pick<DiagnosticsQuery, 'severity' | 'source' | 'isShown'> {
  /** The files, in the order of the answer. */
  readonly files: readonly string[];
  /** How long it may take, in ms. */
  readonly timeMs: number;
  /** How many of the first file's diagnostics were told before. */
  readonly skip: number;
  /** The most diagnostics that are returned; all are counted. */
  readonly limit: number;
  /** Called now and then with the number of files that are done. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** What was found in files. `diagnostics` are in the order of the files. */
export interface CheckAnswer extends Pick<DiagnosticsAnswer, 'diagnostics' | 'documents' | 'total'> {
  /** How many of the files were looked at, from the first on: fewer than all when the time was up. */
  readonly checked: number;
  /** The endings of source files on which no language service reports, and how many such files there are. */
  readonly silent: readonly { readonly ending: string; readonly count: number }[];
  /** How many files would have had to be opened for their language service, which is done for so many at once. */
  readonly unloaded: number;
  /** Some of the files of which the service said nothing in time. */
  readonly unheard: readonly string[];
}

export interface DiagnosticEntry {
  readonly path: string;
  readonly range: TextRange;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string | undefined;
  readonly code?: string | undefined;
}
