import type { TextRange } from '../../../../src/server/seen/ports/documentsPort.ts';
import type {
  CallDirection,
  CodeActionEntry,
  CodeActionQuery,
  FoundCall,
  FoundLocation,
  FoundSymbol,
  LanguageCoverage,
  LanguagePort,
  CodePlace,
  SymbolNode,
  SyntaxQuery,
  SyntaxTree,
} from '../../../../src/server/seen/ports/languagePort.ts';

/** A language service that knows what a test tells it. */
export class FakeLanguage implements LanguagePort {
  symbols: readonly SymbolNode[] = [symbolAt('total', 3)];
  syntax: SyntaxTree = {
    root: { kind: 'document', range: rangeAt(1), children: [{ kind: 'function', range: rangeAt(1), children: [] }] },
    providers: { selectionRange: true, folding: false, semanticTokens: true },
    isCut: false,
  };
  found: readonly FoundSymbol[] = [{ name: 'total', kind: 'function', path: 'src/a.ts', range: rangeAt(3), container: 'cart' }];
  definitions: readonly FoundLocation[] = [locationIn('src/a.ts')];
  references: readonly FoundLocation[] = [locationIn('src/a.ts'), locationIn('src/b.ts')];
  hover = '```ts\nconst total: number\n```';
  calls: readonly FoundCall[] = [{ name: 'pay', kind: 'function', path: 'src/b.ts', range: rangeAt(2), ranges: [rangeAt(5)] }];
  actions: readonly CodeActionEntry[] = [
    { title: 'Add missing import', kind: 'quickfix', isPreferred: true, hasEdit: true, hasCommand: false },
  ];
  covered: LanguageCoverage = 'project';
  /** Every question, in order. */
  readonly asked: unknown[][] = [];

  getDocumentSymbols(path: string): Promise<readonly SymbolNode[]> {
    return this.#answer(this.symbols, path);
  }

  getSyntaxTree(query: SyntaxQuery): Promise<SyntaxTree> {
    return this.#answer(this.syntax, query);
  }

  searchSymbols(query: string): Promise<readonly FoundSymbol[]> {
    return this.#answer(this.found, query);
  }

  goToDefinition(place: CodePlace): Promise<readonly FoundLocation[]> {
    return this.#answer(this.definitions, place);
  }

  findReferences(place: CodePlace, includeDeclaration: boolean): Promise<readonly FoundLocation[]> {
    return this.#answer(this.references, place, includeDeclaration);
  }

  getHover(place: CodePlace): Promise<string> {
    return this.#answer(this.hover, place);
  }

  getCallHierarchy(place: CodePlace, direction: CallDirection): Promise<readonly FoundCall[]> {
    return this.#answer(this.calls, place, direction);
  }

  listCodeActions(query: CodeActionQuery): Promise<readonly CodeActionEntry[]> {
    return this.#answer(this.actions, query);
  }

  coverage(): Promise<LanguageCoverage> {
    return Promise.resolve(this.covered);
  }

  #answer<T>(value: T, ...question: unknown[]): Promise<T> {
    this.asked.push(question);
    return Promise.resolve(value);
  }
}

export function rangeAt(line: number): TextRange {
  return { start: { line, character: 1 }, end: { line, character: 9 } };
}

export function locationIn(path: string, preview = 'const total = 1;'): FoundLocation {
  return { path, range: rangeAt(3), preview };
}

export function symbolAt(name: string, line: number, children: readonly SymbolNode[] = []): SymbolNode {
  return { name, kind: 'function', range: rangeAt(line), selectionRange: rangeAt(line), detail: '', children };
}
