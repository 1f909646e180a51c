// languageServer/: help with server definitions where they are written: mistakes, completion, hover. A process of its own.
import {
  CompletionItemKind,
  DiagnosticSeverity,
  MarkupKind,
  TextDocuments,
  TextDocumentSyncKind,
  type CompletionItem,
  type Connection,
  type Diagnostic,
  type Hover,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { messageOf } from '../base/errors.ts';
import { productName } from '../contract/identity.ts';
import { helpAt, proposalsAt } from './assist.ts';
import { documentKind, type DocumentKind } from './documents.ts';
import { dataOf, sentenceOf } from './problem.ts';
import { validate } from './validate.ts';

/** Connects the language server protocol with the pure functions of this folder. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['"'] },
      hoverProvider: true,
    },
    serverInfo: { name: productName },
  }));
  documents.onDidChangeContent(({ document }) => publish(connection, document.uri, diagnosticsOf(document)));
  documents.onDidClose(({ document }) => publish(connection, document.uri, []));
  connection.onCompletion((params) => atPlace(documents, params, complete) ?? []);
  connection.onHover((params) => atPlace(documents, params, hover));
  documents.listen(connection);
  connection.listen();
}

function publish(connection: Connection, uri: string, diagnostics: Diagnostic[]): void {
  connection.sendDiagnostics({ uri, diagnostics }).catch((error: unknown) => {
    connection.console.error(`The problems of a document could not be sent: ${messageOf(error)}`);
  });
}

function diagnosticsOf(document: TextDocument): Diagnostic[] {
  const kind = documentKind(document.uri);
  const problems = kind === undefined ? [] : validate(document.getText(), kind);
  return problems.map((problem) => ({
    range: rangeOf(document, problem),
    severity: problem.severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code: problem.code,
    source: productName,
    message: sentenceOf(problem),
    data: dataOf(problem),
  }));
}

function atPlace<T>(
  documents: TextDocuments<TextDocument>,
  { textDocument, position }: TextDocumentPositionParams,
  answer: (document: TextDocument, kind: DocumentKind, offset: number) => T | undefined,
): T | undefined {
  const document = documents.get(textDocument.uri);
  const kind = documentKind(textDocument.uri);
  return document === undefined || kind === undefined ? undefined : answer(document, kind, document.offsetAt(position));
}

function complete(document: TextDocument, kind: DocumentKind, offset: number): CompletionItem[] {
  return proposalsAt(document.getText(), kind, offset).map((proposal) => ({
    label: proposal.key,
    kind: CompletionItemKind.Property,
    documentation: { kind: MarkupKind.Markdown, value: proposal.help },
    // The editor filters by the text that is replaced, which has quotes.
    filterText: JSON.stringify(proposal.key),
    textEdit: { range: rangeOf(document, proposal), newText: proposal.newText },
  }));
}

function hover(document: TextDocument, kind: DocumentKind, offset: number): Hover | undefined {
  const help = helpAt(document.getText(), kind, offset);
  return help && { contents: { kind: MarkupKind.Markdown, value: help.text }, range: rangeOf(document, help) };
}

function rangeOf(document: TextDocument, { start, end }: { start: number; end: number }): Diagnostic['range'] {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
