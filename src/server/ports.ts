import type { Event } from '../base/events.ts';
import type { Role } from '../contract/questions.ts';

/** What the embedded server needs of the editor. Paths, positions and enumerations are as clients see them. */
export interface EditorPort {
  listOpenEditors(): readonly OpenEditor[];
  listWorkspaceFolders(): readonly WorkspaceFolder[];
  getDiagnostics(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer>;
  readonly onDidChangeOpenEditors: Event<void>;
  readonly onDidChangeDiagnostics: Event<void>;
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

/** 1-based; the end is exclusive. */
export interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface DiagnosticsQuery {
  readonly path?: string | undefined;
  /** A minimum: `warning` means warnings and errors. */
  readonly severity?: Severity | undefined;
  readonly source?: string | undefined;
  /** How long to wait for the language service to settle. */
  readonly waitMs: number;
}

/** All that match, in a stable order; the server pages them. */
export interface DiagnosticsAnswer {
  readonly diagnostics: readonly DiagnosticEntry[];
  readonly documents: readonly { readonly path: string; readonly version: number; readonly isDirty: boolean }[];
  readonly settled: boolean;
}

export interface DiagnosticEntry {
  readonly path: string;
  readonly range: TextRange;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string | undefined;
  readonly code?: string | undefined;
}

/** Who asks to be let in. The credential decides; `callsItself` is only ever shown. */
export interface ConnectingClient {
  readonly credentialId: string;
  readonly credentialKind: 'windowToken' | 'clientToken';
  /** One per MCP session; the approval belongs to it. */
  readonly sessionId: string;
  readonly callsItself: string;
  readonly transport: 'http' | 'sse';
}

export type ConnectAnswer = { readonly kind: 'allowed'; readonly role: Role } | { readonly kind: 'denied' };

/** Asks the person; settles when they answer, rejects with an AbortError when `signal` withdraws the question. */
export interface ClientApproval {
  ask(client: ConnectingClient, signal: AbortSignal): Promise<ConnectAnswer>;
}
