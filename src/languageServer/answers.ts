import { findNodeAtOffset, getNodePath, type Node } from 'jsonc-parser/lib/esm/main.js';
import {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  InsertTextFormat,
  MarkupKind,
  SymbolKind,
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  type Diagnostic,
  type DocumentLink,
  type DocumentSymbol,
  type Hover,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { CommandId } from '../contract/commands.ts';
import { type FactsParams, type LensesResult, maxServerName, maxServersAsked } from '../contract/configurationHelp.ts';
import { productName } from '../contract/identity.ts';
import { helpAt, proposalsAt } from './assist.ts';
import { type DocumentKind, rangeOf, serversIn, treeOf } from './documents.ts';
import { type Fix, fixesIn } from './fixes.ts';
import { titleOfFix } from './fixTitles.ts';
import { fetchedPythonVersion, fetchedVersion } from './localVersions.ts';
import { linksOf, outlineOf } from './outline.ts';
import { type DocumentProblem, dataOf, type ProblemSeverity, sentenceOf, shownArguments } from './problem.ts';
import { serversAt, type TextProposal, variablesAt } from './proposals.ts';
import type { PlacedServer } from './steadyServers.ts';
import { validate } from './checks/validate.ts';

/** How the servers of a document are right now; the editor knows it. */
export interface LiveEditor {
  lenses(uri: string, names: readonly string[]): Promise<LensesResult>;
  /** Sentences about a server or a text of its definition, without any secret. */
  facts(params: FactsParams): Promise<readonly string[]>;
}

const severities: Readonly<Record<ProblemSeverity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
};

export function diagnosticsOf(document: TextDocument, kind: DocumentKind): Diagnostic[] {
  return validate(document.getText(), kind).map((problem) => diagnosticOf(document, problem));
}

function diagnosticOf(document: TextDocument, problem: DocumentProblem): Diagnostic {
  return {
    range: toRange(document, problem),
    severity: severities[problem.severity],
    code: problem.code,
    source: productName,
    message: sentenceOf(problem),
    data: dataOf(problem),
  };
}

export function itemsAt(document: TextDocument, kind: DocumentKind, offset: number): CompletionItem[] {
  const text = document.getText();
  const keys = proposalsAt(text, kind, offset).map((proposal): CompletionItem => ({
    label: proposal.key,
    kind: CompletionItemKind.Property,
    documentation: { kind: MarkupKind.Markdown, value: proposal.help },
    // The editor filters by the text that is replaced, which has quotes.
    filterText: JSON.stringify(proposal.key),
    textEdit: { range: toRange(document, proposal), newText: proposal.newText },
  }));
  const names = Object.keys(process.env).sort();
  return [
    ...keys,
    ...variablesAt(text, kind, offset, names).map((each) => proposalItem(document, each, CompletionItemKind.Variable)),
    ...serversAt(text, kind, offset).map((each) => proposalItem(document, each, CompletionItemKind.Snippet)),
  ];
}

function proposalItem(document: TextDocument, proposal: TextProposal, kind: CompletionItemKind): CompletionItem {
  const { label, help, newText, isSnippet } = proposal;
  return {
    label,
    kind,
    ...(help === '' ? {} : { documentation: { kind: MarkupKind.Markdown, value: help } }),
    filterText: isSnippet ? JSON.stringify(label) : newText,
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: toRange(document, proposal), newText },
  };
}

/** The help for a key, and what the editor knows of the server or of the value that the person points at. */
export async function hoverOf(document: TextDocument, kind: DocumentKind, offset: number, live: LiveEditor): Promise<Hover | undefined> {
  const text = document.getText();
  const help = helpAt(text, kind, offset);
  if (help !== undefined) {
    return { contents: { kind: MarkupKind.Markdown, value: help.text }, range: toRange(document, help) };
  }
  const pointed = pointedAt(text, kind, offset);
  const lines = pointed === undefined ? [] : await live.facts({ uri: document.uri, ...pointed.params });
  if (pointed === undefined || lines.length === 0) {
    return undefined;
  }
  return {
    contents: { kind: MarkupKind.Markdown, value: lines.map(asMarkdown).join('\n\n') },
    range: toRange(document, rangeOf(pointed.node)),
  };
}

/** The name of a server, or a text in its definition, at an offset. */
function pointedAt(text: string, kind: DocumentKind, offset: number): { node: Node; params: Omit<FactsParams, 'uri'> } | undefined {
  const root = treeOf(text);
  const node = root && findNodeAtOffset(root, offset);
  const server =
    root && serversIn(root, kind).find(({ keyNode, valueNode }) => node === keyNode || (valueNode && isWithin(valueNode, offset)));
  if (node?.type !== 'string' || server?.valueNode === undefined) {
    return undefined;
  }
  if (node === server.keyNode) {
    return { node, params: { name: server.name } };
  }
  const isKey = node.parent?.type === 'property' && node.parent.children?.[0] === node;
  const path = getNodePath(node).slice(getNodePath(server.valueNode).length);
  const value = String(node.value);
  return isKey ? undefined : { node, params: { name: server.name, text: value.slice(0, 10_000), isCommand: path[0] === 'command' } };
}

function isWithin({ offset, length }: Node, place: number): boolean {
  return offset <= place && place < offset + length;
}

/** Plain text as Markdown that shows nothing but this text: no link, no picture. */
function asMarkdown(line: string): string {
  return line.replace(/[!-/:-@[-`{-~]/g, '\\$&').replace(/\s+/g, ' ');
}

const moveSecret: CommandId = 'duplex.moveSecretToInput';
const copyServer: CommandId = 'duplex.copyServerForm';

export async function actionsOf(document: TextDocument, kind: DocumentKind, range: Range): Promise<CodeAction[]> {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const versionOf = (name: string, runner: 'npx' | 'uvx'): Promise<string | undefined> =>
    runner === 'npx' ? fetchedVersion(name) : fetchedPythonVersion(name);
  const fixes = await fixesIn({ text: document.getText(), kind, start, end, versionOf });
  return fixes.map((fix) => actionOf(document, fix));
}

function actionOf(document: TextDocument, fix: Fix): CodeAction {
  const { changes, problem, secret, copied, isPreferred = false, code, args } = fix;
  const title = titleOfFix(fix);
  const edits = changes.map((each) => ({ range: toRange(document, each), newText: each.newText }));
  return {
    title,
    kind: problem === undefined ? CodeActionKind.Refactor : CodeActionKind.QuickFix,
    isPreferred,
    ...(problem === undefined ? {} : { diagnostics: [diagnosticOf(document, problem)] }),
    ...(edits.length === 0 ? {} : { edit: { changes: { [document.uri]: edits } } }),
    ...(secret === undefined ? {} : { command: { title, command: moveSecret, arguments: [{ uri: document.uri, ...secret }] } }),
    ...(copied === undefined ? {} : { command: { title, command: copyServer, arguments: [{ text: copied }] } }),
    data: { code, args: shownArguments(args) },
  };
}

/** What stands above each server. It is complete when it is given, so that nothing has to be drawn twice. */
export async function lensesOf(document: TextDocument, places: readonly PlacedServer[], live: LiveEditor): Promise<CodeLens[]> {
  // One name that nobody would write must not cost all others what stands above them.
  const asked = places.filter(({ name }) => name.length <= maxServerName).slice(0, maxServersAsked);
  const names = asked.map(({ name }) => name);
  const lenses = names.length === 0 ? [] : await live.lenses(document.uri, names);
  return asked.flatMap((place, index) =>
    (lenses[index] ?? []).map(({ title, command = '', serverId }) => ({
      range: toRange(document, place),
      command: { title, command, ...(command === '' ? {} : { arguments: [{ server: { id: serverId } }] }) },
    })),
  );
}

export function symbolsOf(document: TextDocument, kind: DocumentKind): DocumentSymbol[] {
  return outlineOf(document.getText(), kind).map(({ name, detail, isRemote, range, nameRange }) => ({
    name,
    detail,
    kind: isRemote ? SymbolKind.Interface : SymbolKind.Module,
    range: toRange(document, range),
    selectionRange: toRange(document, nameRange),
  }));
}

export function linksOfDocument(document: TextDocument, kind: DocumentKind): DocumentLink[] {
  return linksOf(document.getText(), kind).map((link) => ({
    range: toRange(document, link),
    target: 'file' in link ? link.file : `${document.uri}#L${document.positionAt(link.offset).line + 1}`,
  }));
}

function toRange(document: TextDocument, { start, end }: { readonly start: number; readonly end: number }): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
