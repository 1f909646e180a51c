// ports/: what the server needs of an editor, one file for each part; src/editor/ implements them for VS Code.
import type { Event } from '../../../base/events.ts';
import type { ActingPort } from './actingPort.ts';
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
  listOpenEditors(): readonly OpenEditor[];
  listWorkspaceFolders(): readonly WorkspaceFolder[];
  getDiagnostics(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer>;
  /** The diagnostics of the whole workspace without waiting; `undefined` if there are so many that they must be gathered in slices. */
  knownDiagnostics(query: Omit<DiagnosticsQuery, 'path' | 'waitMs'>): DiagnosticsAnswer | undefined;
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

export interface WorkspaceFolder {
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
}

export interface DiagnosticEntry {
  readonly path: string;
  readonly range: TextRange;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string | undefined;
  readonly code?: string | undefined;
}
