// language/: what VS Code's language services know: diagnostics, symbols, definitions, code actions. They are other extensions and
// may be slow, silent or not there yet, so that every call has a limit of time. This file is the port.
import * as vscode from 'vscode';
import { within } from '../../base/abort.ts';
import { isAppError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import { ownActionKind } from '../../contract/identity.ts';
import type { IsShown } from '../../server/seen/ports/documentsPort.ts';
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
import { askChecked, checkedDocument } from '../documents/checkedDocument.ts';
import type { DiskNews } from '../documents/diskNews.ts';
import { fromClientPath, fromTextRange, toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { isStillThere, refuseFolder } from '../shared/openDocuments.ts';
import { callMs, halfCallMs, LanguageService, readMs, thoseInTime, withTimeLimit } from './languageService.ts';
import { type AnyLocation, describeLocations, plainLocation } from './locations.ts';
import { type AnySymbol, symbolsMatching, symbolKind, toSymbolTree } from './symbols.ts';
import { buildSyntaxTree, readFolding, readSelections, readTokens, type SyntaxSource } from './syntaxTree.ts';
import { coverageOf, isTypescriptName } from './typescriptService.ts';

/** The most code actions that are resolved to see whether they carry an edit. */
const maxResolvedActions = 50;

/** What is needed to ask about a document for a client. */
interface Asking {
  readonly service: LanguageService;
  readonly disk: DiskNews;
  readonly signal: AbortSignal;
  readonly isShown?: IsShown | undefined;
}

/** The language services of VS Code. Each call has one limit of time for all that it does. */
export function createEditorLanguage(disk: DiskNews): LanguagePort & Disposable {
  const service = new LanguageService((command, args) => vscode.commands.executeCommand(command, ...args));
  const inTime = <T>(
    limitMs: number,
    signal: AbortSignal,
    isShown: IsShown | undefined,
    work: (asking: Asking) => Promise<T>,
  ): Promise<T> => withTimeLimit(limitMs, signal, (bounded) => work({ service, disk, signal: bounded, isShown }));
  return {
    getDocumentSymbols: (path, signal, isShown) => inTime(readMs, signal, isShown, (asking) => getDocumentSymbols(asking, path)),
    getSyntaxTree: (query, signal, isShown) => inTime(readMs, signal, isShown, (asking) => getSyntaxTree(asking, query)),
    searchSymbols: (query, signal, isShown) =>
      inTime(callMs, signal, isShown, (asking) => steadily(asking, undefined, () => symbolsMatching(asking, query))),
    goToDefinition: (place, signal, isShown) =>
      inTime(halfCallMs, signal, isShown, (asking) =>
        steadily(asking, place.path, async () => describeLocations(await findDefinitions(asking, place), asking)),
      ),
    findReferences: (place, includeDeclaration, signal, isShown) =>
      inTime(callMs, signal, isShown, (asking) => steadily(asking, place.path, () => findReferences(asking, place, includeDeclaration))),
    // Half the time of a call, because its first half goes to finding where the symbol is defined.
    getHover: (place, signal, isShown) =>
      inTime(halfCallMs, signal, isShown, (asking) =>
        steadily(asking, place.path, async () => hoverText(await askAt<vscode.Hover>(asking, 'vscode.executeHoverProvider', place))),
      ),
    getCallHierarchy: (place, direction, signal, isShown) =>
      inTime(callMs, signal, isShown, (asking) => steadily(asking, place.path, () => getCallHierarchy(asking, place, direction))),
    listCodeActions: (query, signal, isShown) =>
      inTime(callMs, signal, isShown, (asking) => steadily(asking, query.path, () => listCodeActions(asking, query))),
    coverage: (path) => coverageOf(service, path),
    dispose: () => undefined,
  };
}

function getDocumentSymbols(asking: Asking, path: string): Promise<SymbolNode[]> {
  const { service, signal } = asking;
  return askAbout(asking, path, async (document) => {
    const ask = (): Promise<AnySymbol[]> => list(service.ask<AnySymbol[]>('vscode.executeDocumentSymbolProvider', [document.uri], signal));
    return toSymbolTree(await service.askPatiently(document, ask, isEmpty, signal));
  });
}

function listCodeActions(asking: Asking, { path, startLine, endLine, kind }: CodeActionQuery): Promise<CodeActionEntry[]> {
  const { service, signal } = asking;
  return askAbout(asking, path, async (document) => {
    checkLine(document, path, endLine);
    const range = new vscode.Range(document.lineAt(startLine - 1).range.start, document.lineAt(endLine - 1).range.end);
    const args = [document.uri, range, kind, maxResolvedActions];
    const ask = (): Promise<(vscode.CodeAction | vscode.Command)[]> =>
      list(service.ask<(vscode.CodeAction | vscode.Command)[]>('vscode.executeCodeActionProvider', args, signal));
    return describeCodeActions(await service.askPatiently(document, ask, isEmpty, signal));
  });
}

function askAt<T>(asking: Asking, command: string, place: CodePlace): Promise<T[]> {
  const { service, signal } = asking;
  return askAbout(asking, place.path, (document) => {
    const position = positionIn(document, place);
    return service.askPatiently(document, () => list(service.ask<T[]>(command, [document.uri, position], signal)), isEmpty, signal);
  });
}

function findDefinitions(asking: Asking, place: CodePlace): Promise<AnyLocation[]> {
  return askAt<AnyLocation>(asking, 'vscode.executeDefinitionProvider', place);
}

/** Finds references. VS Code always includes the declaration, so it is taken out again by its place. */
async function findReferences(asking: Asking, place: CodePlace, includeDeclaration: boolean): ReturnType<LanguagePort['findReferences']> {
  const references = await askAt<vscode.Location>(asking, 'vscode.executeReferenceProvider', place);
  if (includeDeclaration || references.length === 0) {
    return describeLocations(references, asking);
  }
  const declarations = (await findDefinitions(asking, place)).map(plainLocation);
  const isDeclaration = ({ uri, range }: vscode.Location): boolean =>
    declarations.some((other) => other.uri.toString() === uri.toString() && other.range.contains(range.start));
  return describeLocations(
    references.filter((reference) => !isDeclaration(reference)),
    asking,
  );
}

async function getCallHierarchy(asking: Asking, place: CodePlace, direction: CallDirection): Promise<FoundCall[]> {
  const { service, signal } = asking;
  const items = await askAt<vscode.CallHierarchyItem>(asking, 'vscode.prepareCallHierarchy', place);
  const asked = fromClientPath(place.path).toString();
  const calls: FoundCall[] = [];
  for (const item of items) {
    // At a call, the function is another one's, maybe of another file.
    const home = item.uri.toString() === asked ? {} : { functionPath: toClientPath(item.uri) };
    if (direction === 'incoming') {
      const found = await list(service.ask<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', [item], signal));
      calls.push(
        ...found.filter(({ from }) => isStillThere(from.uri)).map(({ from, fromRanges }) => ({ ...toCall(from, fromRanges), ...home })),
      );
    } else {
      const found = await list(service.ask<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', [item], signal));
      calls.push(...found.filter(({ to }) => isStillThere(to.uri)).map(({ to, fromRanges }) => ({ ...toCall(to, fromRanges), ...home })));
    }
  }
  return calls;
}

function toCall({ name, kind, uri, selectionRange }: vscode.CallHierarchyItem, ranges: readonly vscode.Range[]): FoundCall {
  return { name, kind: symbolKind(kind), path: toClientPath(uri), range: toTextRange(selectionRange), ranges: ranges.map(toTextRange) };
}

function getSyntaxTree(asking: Asking, query: SyntaxQuery): Promise<SyntaxTree> {
  const { service, signal } = asking;
  return askAbout(asking, query.path, async (document) => {
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    checkLine(document, query.path, query.range?.start.line ?? 1);
    const wanted = document.validateRange(query.range === undefined ? whole : fromTextRange(query.range));
    const askAll = (): Promise<SyntaxSource[]> =>
      thoseInTime(
        [
          readSelections(service, document, wanted, signal),
          readFolding(service, document, signal),
          readTokens(service, document, wanted, signal),
        ],
        { answered: false, spans: [] },
        signal,
      );
    // VS Code itself answers for folding (by indentation) and selections (by words); only tokens show that a service is up.
    const sources = await service.askPatiently(document, askAll, (answers) => answers[2]?.answered !== true, signal);
    const [selectionRange = false, folding = false, semanticTokens = false] = sources.map(({ answered }) => answered);
    const spans = sources.flatMap(({ spans: own }) => own);
    const { root, isCut } = buildSyntaxTree(toTextRange(wanted), spans, query.depth);
    const providers = { selectionRange, folding, semanticTokens };
    return { root, providers, isCut: isCut || sources.some((source) => source.isCut === true) };
  });
}

async function list<T>(answer: Promise<T[] | undefined>): Promise<T[]> {
  return (await answer) ?? [];
}

function isEmpty(answer: readonly unknown[]): boolean {
  return answer.length === 0;
}

/** How long, in ms, VS Code may take to take in what changed on the disk, before a call fails because of it. */
const newsMs = 5_000;

/** Asks what depends on more files than one, once VS Code knows of what the disk has of them. */
async function steadily<T>({ disk, signal, isShown = () => true }: Asking, path: string | undefined, ask: () => Promise<T>): Promise<T> {
  const uri = path === undefined ? undefined : fromClientPath(path);
  const interest = { uri, isTypescript: uri !== undefined && isTypescriptName(uri) };
  const { answer, behind } = await disk.steadily(interest, newsMs, signal, ask);
  const late = behind.map(toClientPath).find(isShown);
  if (late !== undefined) {
    throw editorError('editor.behindDisk', { path: late });
  }
  return answer;
}

/** How long, in ms, a document may take to be opened in the background. */
const openMs = 8_000;

function askAbout<T>(asking: Asking, path: string, ask: (document: vscode.TextDocument) => Promise<T>): Promise<T> {
  return askChecked(path, () => openInBackground(path, asking), ask);
}

/** The document behind a client path. One that is not open is opened in the background, without a tab. */
async function openInBackground(path: string, { disk, signal, isShown }: Asking): Promise<vscode.TextDocument> {
  const uri = fromClientPath(path);
  await disk.whenTold(uri, signal);
  try {
    return await within(checkedDocument(uri, { path, isShown, signal }), openMs, signal, () => editorError('editor.tooSlow', { path }));
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
