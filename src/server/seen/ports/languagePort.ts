import type { IsShown, TextRange } from './documentsPort.ts';

/** What language services know: symbols, syntax, definitions, references, hovers, calls and code actions. */
export interface LanguagePort {
  getDocumentSymbols(path: string, signal: AbortSignal, isShown?: IsShown): Promise<readonly SymbolNode[]>;
  getSyntaxTree(query: SyntaxQuery, signal: AbortSignal, isShown?: IsShown): Promise<SyntaxTree>;
  searchSymbols(query: string, signal: AbortSignal, isShown?: IsShown): Promise<readonly FoundSymbol[]>;
  goToDefinition(place: CodePlace, signal: AbortSignal, isShown?: IsShown): Promise<readonly FoundLocation[]>;
  findReferences(place: CodePlace, includeDeclaration: boolean, signal: AbortSignal, isShown?: IsShown): Promise<readonly FoundLocation[]>;
  /** The hover as Markdown; empty if there is none. */
  getHover(place: CodePlace, signal: AbortSignal, isShown?: IsShown): Promise<string>;
  getCallHierarchy(place: CodePlace, direction: CallDirection, signal: AbortSignal, isShown?: IsShown): Promise<readonly FoundCall[]>;
  listCodeActions(query: CodeActionQuery, signal: AbortSignal, isShown?: IsShown): Promise<readonly CodeActionEntry[]>;
  /** How much of the project the language service knows for a file; it explains what an empty answer means. */
  coverage(path: string): Promise<LanguageCoverage>;
}

/**
 * `none`: no language service has answered for this language yet. `alone`: the service knows the file and its imports. `project`:
 * the file is part of a project.
 */
export type LanguageCoverage = 'none' | 'alone' | 'project';

/** A place in a file; lines and characters count from 1. */
export interface CodePlace {
  readonly path: string;
  readonly line: number;
  readonly character: number;
}

export interface SymbolNode {
  readonly name: string;
  /** The kind as VS Code names it, in lower camel case. */
  readonly kind: string;
  readonly range: TextRange;
  readonly selectionRange: TextRange;
  readonly detail: string;
  readonly children: readonly SymbolNode[];
}

export interface SyntaxQuery {
  readonly path: string;
  readonly depth: number;
  readonly range?: TextRange | undefined;
}

export interface SyntaxNode {
  readonly kind: string;
  readonly range: TextRange;
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** Which providers answered. */
  readonly providers: { readonly selectionRange: boolean; readonly folding: boolean; readonly semanticTokens: boolean };
  /** Whether nodes were left out because of the depth or the number of nodes. */
  readonly isCut: boolean;
}

export interface FoundSymbol {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly range: TextRange;
  readonly container: string;
}

export interface FoundLocation {
  readonly path: string;
  readonly range: TextRange;
  /** The line on which the range starts. It stays whole until secrets are redacted, because half a secret is not recognized. */
  readonly preview: string;
  /** The character of the line at which the preview starts, if it is only a part of the line. */
  readonly previewStart?: number | undefined;
  /** The file was not read, because there are too many or it could not be read in time, so that the preview is empty. */
  readonly isUnread?: boolean | undefined;
}

export type CallDirection = 'incoming' | 'outgoing';

export interface FoundCall {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly range: TextRange;
  /** Where the calls are: in `path` for incoming calls, in the file of the function that was asked about for outgoing ones. */
  readonly ranges: readonly TextRange[];
  /** The file of the function that was asked about, if it is another one than that of the place, which may be a call. */
  readonly functionPath?: string | undefined;
}

export interface CodeActionQuery {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly kind?: string | undefined;
}

export interface CodeActionEntry {
  readonly title: string;
  readonly kind: string;
  readonly isPreferred: boolean;
  readonly hasEdit: boolean;
  readonly hasCommand: boolean;
}
