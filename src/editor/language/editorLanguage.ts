// language/: what VS Code's language services know: diagnostics, symbols, definitions, code actions. They are other extensions and
// may be slow, silent or not there yet, so that every call has a limit of time. This file is the port.
import * as vscode from 'vscode';
import { within } from '../../base/abort.ts';
import { isAppError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import { ownActionKind } from '../../contract/identity.ts';
import type {
  CallDirection,
  CodeActionEntry,
  CodeActionQuery,
  FoundCall,
  LanguagePort,
  CodePlace,
  SymbolNode,
  SyntaxQuery,
  SyntaxTree,
} from '../../server/seen/ports/languagePort.ts';
import { fromClientPath, fromTextRange, toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { refuseFolder } from '../shared/openDocuments.ts';
import { callMs, halfCallMs, LanguageService, readMs, thoseInTime, withTimeLimit } from './languageService.ts';
import { type AnyLocation, describeLocations, plainLocation } from './locations.ts';
import { type AnySymbol, searchSymbols, symbolKind, toSymbolTree } from './symbols.ts';
import { buildSyntaxTree, readFolding, readSelections, readTokens, type SyntaxSource } from './syntaxTree.ts';
import { coverageOf } from './typescriptService.ts';

/** The most code actions that are resolved to see whether they carry an edit. */
const maxResolvedActions = 50;

/** The language services of VS Code. Each call has one limit of time for all that it does. */
export function createEditorLanguage(): LanguagePort & Disposable {
  const service = new LanguageService((command, args) => vscode.commands.executeCommand(command, ...args));
  return {
    getDocumentSymbols: (path, signal) => withTimeLimit(readMs, signal, (bounded) => getDocumentSymbols(service, path, bounded)),
    getSyntaxTree: (query, signal) => withTimeLimit(readMs, signal, (bounded) => getSyntaxTree(service, query, bounded)),
    searchSymbols: (query, signal) => withTimeLimit(callMs, signal, (bounded) => searchSymbols(service, query, bounded)),
    goToDefinition: (place, signal) =>
      withTimeLimit(halfCallMs, signal, async (bounded) => describeLocations(await findDefinitions(service, place, bounded), bounded)),
    findReferences: (place, includeDeclaration, signal) =>
      withTimeLimit(callMs, signal, (bounded) => findReferences(service, place, includeDeclaration, bounded)),
    // Half the time of a call, because its first half goes to finding where the symbol is defined.
    getHover: (place, signal) =>
      withTimeLimit(halfCallMs, signal, async (bounded) =>
        hoverText(await askAt<vscode.Hover>(service, 'vscode.executeHoverProvider', place, bounded)),
      ),
    getCallHierarchy: (place, direction, signal) =>
      withTimeLimit(callMs, signal, (bounded) => getCallHierarchy(service, place, direction, bounded)),
    listCodeActions: (query, signal) => withTimeLimit(callMs, signal, (bounded) => listCodeActions(service, query, bounded)),
    coverage: (path) => coverageOf(service, path),
    dispose: () => undefined,
  };
}

async function getDocumentSymbols(service: LanguageService, path: string, signal: AbortSignal): Promise<SymbolNode[]> {
  const document = await openInBackground(path, signal);
  const ask = (): Promise<AnySymbol[]> => list(service.ask<AnySymbol[]>('vscode.executeDocumentSymbolProvider', [document.uri], signal));
  return toSymbolTree(await service.askPatiently(document, ask, isEmpty, signal));
}

async function listCodeActions(
  service: LanguageService,
  { path, startLine, endLine, kind }: CodeActionQuery,
  signal: AbortSignal,
): Promise<CodeActionEntry[]> {
  const document = await openInBackground(path, signal);
  checkLine(document, path, endLine);
  const range = new vscode.Range(document.lineAt(startLine - 1).range.start, document.lineAt(endLine - 1).range.end);
  const args = [document.uri, range, kind, maxResolvedActions];
  const ask = (): Promise<(vscode.CodeAction | vscode.Command)[]> =>
    list(service.ask<(vscode.CodeAction | vscode.Command)[]>('vscode.executeCodeActionProvider', args, signal));
  return describeCodeActions(await service.askPatiently(document, ask, isEmpty, signal));
}

async function askAt<T>(service: LanguageService, command: string, place: CodePlace, signal: AbortSignal): Promise<T[]> {
  const document = await openInBackground(place.path, signal);
  const position = positionIn(document, place);
  return service.askPatiently(document, () => list(service.ask<T[]>(command, [document.uri, position], signal)), isEmpty, signal);
}

function findDefinitions(service: LanguageService, place: CodePlace, signal: AbortSignal): Promise<AnyLocation[]> {
  return askAt<AnyLocation>(service, 'vscode.executeDefinitionProvider', place, signal);
}

/** Finds references. VS Code always includes the declaration, so it is taken out again by its place. */
async function findReferences(
  service: LanguageService,
  place: CodePlace,
  includeDeclaration: boolean,
  signal: AbortSignal,
): ReturnType<LanguagePort['findReferences']> {
  const references = await askAt<vscode.Location>(service, 'vscode.executeReferenceProvider', place, signal);
  if (includeDeclaration || references.length === 0) {
    return describeLocations(references, signal);
  }
  const declarations = (await findDefinitions(service, place, signal)).map(plainLocation);
  const isDeclaration = ({ uri, range }: vscode.Location): boolean =>
    declarations.some((other) => other.uri.toString() === uri.toString() && other.range.contains(range.start));
  return describeLocations(
    references.filter((reference) => !isDeclaration(reference)),
    signal,
  );
}

async function getCallHierarchy(
  service: LanguageService,
  place: CodePlace,
  direction: CallDirection,
  signal: AbortSignal,
): Promise<FoundCall[]> {
  const items = await askAt<vscode.CallHierarchyItem>(service, 'vscode.prepareCallHierarchy', place, signal);
  const calls: FoundCall[] = [];
  for (const item of items) {
    if (direction === 'incoming') {
      const found = await list(service.ask<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', [item], signal));
      calls.push(...found.map(({ from, fromRanges }) => toCall(from, fromRanges)));
    } else {
      const found = await list(service.ask<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', [item], signal));
      calls.push(...found.map(({ to, fromRanges }) => toCall(to, fromRanges)));
    }
  }
  return calls;
}

function toCall({ name, kind, uri, selectionRange }: vscode.CallHierarchyItem, ranges: readonly vscode.Range[]): FoundCall {
  return { name, kind: symbolKind(kind), path: toClientPath(uri), range: toTextRange(selectionRange), ranges: ranges.map(toTextRange) };
}

async function getSyntaxTree(service: LanguageService, query: SyntaxQuery, signal: AbortSignal): Promise<SyntaxTree> {
  const document = await openInBackground(query.path, signal);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  checkLine(document, query.path, query.range?.start.line ?? 1);
  const wanted = document.validateRange(query.range === undefined ? whole : fromTextRange(query.range));
  const askAll = (): Promise<SyntaxSource[]> =>
    thoseInTime(
      [readSelections(service, document, wanted, signal), readFolding(service, document, signal), readTokens(service, document, signal)],
      { answered: false, spans: [] },
      signal,
    );
  // VS Code itself answers for folding (by indentation) and selections (by words); only tokens show that a service is up.
  const sources = await service.askPatiently(document, askAll, (answers) => answers[2]?.answered !== true, signal);
  const [selectionRange = false, folding = false, semanticTokens = false] = sources.map(({ answered }) => answered);
  const spans = sources.flatMap(({ spans: own }) => own);
  return { ...buildSyntaxTree(toTextRange(wanted), spans, query.depth), providers: { selectionRange, folding, semanticTokens } };
}

async function list<T>(answer: Promise<T[] | undefined>): Promise<T[]> {
  return (await answer) ?? [];
}

function isEmpty(answer: readonly unknown[]): boolean {
  return answer.length === 0;
}

const openMs = 8_000;

/** The document behind a client path. One that is not open is opened in the background, without a tab. */
async function openInBackground(path: string, signal: AbortSignal): Promise<vscode.TextDocument> {
  const uri = fromClientPath(path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) {
    return open;
  }
  try {
    return await within(vscode.workspace.openTextDocument(uri), openMs, signal, () => editorError('editor.tooSlow', { path }));
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error)) {
      throw error;
    }
    await refuseFolder(uri, path);
    throw pathNotFound(path); // missing or binary: nothing a language service could speak of
  }
}

function positionIn(document: vscode.TextDocument, { path, line, character }: CodePlace): vscode.Position {
  checkLine(document, path, line);
  const { length } = document.lineAt(line - 1).text;
  if (character > length + 1) {
    throw editorError('editor.noSuchCharacter', { path, line, character, length });
  }
  return new vscode.Position(line - 1, character - 1);
}

function checkLine(document: vscode.TextDocument, path: string, line: number): void {
  if (line > document.lineCount) {
    throw editorError('editor.noSuchLine', { path, line, lineCount: document.lineCount });
  }
}

/**
 * Describes code actions. VS Code answers with actions and, from older providers, with bare commands; disabled actions cannot be
 * applied and are left out.
 */
function describeCodeActions(actions: readonly (vscode.CodeAction | vscode.Command)[]): CodeActionEntry[] {
  return actions.flatMap((action): CodeActionEntry[] => {
    if (isCommand(action)) {
      return [{ title: action.title, kind: '', isPreferred: false, hasEdit: false, hasCommand: true }];
    }
    if (action.disabled !== undefined || isOwnAction(action)) {
      return [];
    }
    return [
      {
        title: action.title,
        kind: action.kind?.value ?? '',
        isPreferred: action.isPreferred ?? false,
        hasEdit: (action.edit?.size ?? 0) > 0,
        hasCommand: action.command !== undefined,
      },
    ];
  });
}

export function isCommand(action: vscode.CodeAction | vscode.Command): action is vscode.Command {
  return typeof action.command === 'string';
}

/** Whether this is a quick fix of Duplex's own, which leads to the person's chat and is nothing for a client. */
export function isOwnAction(action: vscode.CodeAction | vscode.Command): boolean {
  return !isCommand(action) && action.kind?.value === ownActionKind;
}

/** The hovers as one Markdown text. */
function hoverText(hovers: readonly vscode.Hover[]): string {
  return hovers
    .flatMap((hover) => hover.contents)
    .map(toMarkdown)
    .filter((part) => part.trim() !== '')
    .join('\n\n---\n\n');
}

/** The Markdown of one hover. Older providers answer with a string, or with code in a language. */
function toMarkdown(content: vscode.Hover['contents'][number]): string {
  if (typeof content === 'string') {
    return content;
  }
  const { value, language } = content as { readonly value: string; readonly language?: string };
  return language === undefined ? value : `\`\`\`${language}\n${value}\n\`\`\``;
}
