import type { TextRange } from './documentsPort.ts';

/** What language services know: symbols, syntax, places, hovers, calls, code actions. */
export interface LanguagePort {
  getDocumentSymbols(path: string, signal: AbortSignal): Promise<readonly SymbolNode[]>;
  getSyntaxTree(query: SyntaxQuery, signal: AbortSignal): Promise<SyntaxTree>;
  searchSymbols(query: string, signal: AbortSignal): Promise<readonly FoundSymbol[]>;
  goToDefinition(place: Place, signal: AbortSignal): Promise<readonly FoundLocation[]>;
  findReferences(place: Place, includeDeclaration: boolean, signal: AbortSignal): Promise<readonly FoundLocation[]>;
  /** Markdown; empty when there is nothing to say. */
  getHover(place: Place, signal: AbortSignal): Promise<string>;
  getCallHierarchy(place: Place, direction: CallDirection, signal: AbortSignal): Promise<readonly FoundCall[]>;
  listCodeActions(query: CodeActionQuery, signal: AbortSignal): Promise<readonly CodeActionEntry[]>;
  /** How far answers about a file reach: to know what an empty one means. */
  coverage(path: string): Promise<LanguageCoverage>;
}

/** No service has answered for its language yet; it is known by itself and what it imports; it is part of a project. */
export type LanguageCoverage = 'none' | 'alone' | 'project';

/** 1-based. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly character: number;
}

export interface SymbolNode {
  readonly name: string;
  /** As VS Code names it, in lower camel case. */
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
  /** Which providers had an answer. */
  readonly providers: { readonly selectionRange: boolean; readonly folding: boolean; readonly semanticTokens: boolean };
  /** Whether nodes were left out, by depth or by number. */
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
  /** The line it starts on. Whole until secrets are taken out of it: half of one is not known for one. */
  readonly preview: string;
  /** Only of a part: at which character of the line it starts. */
  readonly previewStart?: number | undefined;
}

export type CallDirection = 'incoming' | 'outgoing';

export interface FoundCall {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly range: TextRange;
  /** Where the calls are: in `path` for incoming ones, in the document asked about for outgoing ones. */
  readonly ranges: readonly TextRange[];
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
