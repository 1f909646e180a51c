// ports/: what the server needs of an editor, one file for each part; src/editor/ has them for VS Code.
import type { Event } from '../../../base/events.ts';
import type { ActingPort } from './actingPort.ts';
import type { DocumentsPort, TextRange } from './documentsPort.ts';
import type { LanguagePort } from './languagePort.ts';
import type { TerminalsPort } from './terminalsPort.ts';
import type { TestsPort } from './testsPort.ts';
import type { UnsavedPort } from './unsavedPort.ts';
import type { WorkspacePort } from './workspacePort.ts';

/** What the embedded server needs of the editor. Paths, positions and enumerations are as clients see them. */
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
  /** The same at once, of the whole workspace and without waiting; nothing where it is so much that it takes turns with others. */
  knownDiagnostics(query: Omit<DiagnosticsQuery, 'path' | 'waitMs'>): DiagnosticsAnswer | undefined;
  readonly onDidChangeOpenEditors: Event<void>;
  /** The client paths it happened to; none given: anywhere. */
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
  /** A minimum: `warning` means warnings and errors. */
  readonly severity?: Severity | undefined;
  readonly source?: string | undefined;
  /** How long to wait for the language service to settle. */
  readonly waitMs: number;
  /** A page of them; left out: all. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /** Asked before anything is counted, so that total and pages tell nothing of what is withheld. */
  readonly isShown?: ((path: string) => boolean) | undefined;
}

/** Those that match, in a stable order. */
export interface DiagnosticsAnswer {
  readonly diagnostics: readonly DiagnosticEntry[];
  /** On all pages. */
  readonly total: number;
  readonly documents: readonly { readonly path: string; readonly version: string; readonly isDirty: boolean }[];
  /** Whether somebody answered for the text as it is now. */
  readonly settled: boolean;
  /** Documents on which no language service has reported since they were opened or last changed: some of them. */
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
