// languageServer/: help with server definitions where they are written: mistakes and what mends them, completion, hover, what can
// be done with each server. A process of its own. It starts nothing: how a server is, it asks the editor.
import {
  CodeLensRefreshRequest,
  CodeActionKind,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type Diagnostic,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { type FactsResult, liveMethods, type LensesResult } from '../contract/configurationHelp.ts';
import { productName } from '../contract/identity.ts';
import { actionsOf, itemsAt, diagnosticsOf, hoverOf, lensesOf, linksOfDocument, symbolsOf, type LiveEditor } from './answers.ts';
import { documentKind, type DocumentKind, isReadable } from './documents.ts';
import { SteadyServers } from './steadyServers.ts';

/** Connects the language server protocol with the pure functions of this folder. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const live = liveServers(connection);
  const steady = new SteadyServers();
  const refresh = refresher(connection);
  const checks = new LateChecks((uri) => publish(connection, uri, inDocument(documents, uri, diagnosticsOf) ?? []));
  let hasLenses = false;
  connection.onInitialize(({ capabilities }) => {
    hasLenses = capabilities.workspace?.codeLens?.refreshSupport === true;
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['"', '$', '{', ':'] },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.Refactor] },
        codeLensProvider: {},
        documentSymbolProvider: true,
        documentLinkProvider: {},
      },
      serverInfo: { name: productName },
    };
  });
  documents.onDidChangeContent(({ document }) => checks.note(document.uri));
  documents.onDidClose(({ document }) => {
    checks.forget(document.uri);
    steady.forget(document.uri);
    publish(connection, document.uri, []);
  });
  connection.onCompletion((params) => atPlace(documents, params, itemsAt) ?? []);
  connection.onHover((params) => atPlace(documents, params, (document, kind, offset) => hoverOf(document, kind, offset, live)));
  connection.onCodeAction(({ textDocument, range }) =>
    inDocument(documents, textDocument.uri, (each, kind) => actionsOf(each, kind, range)),
  );
  connection.onCodeLens(({ textDocument }) =>
    inDocument(documents, textDocument.uri, (each, kind) => lensesOf(each, steady.placesIn(each, kind), live)),
  );
  connection.onDocumentSymbol(({ textDocument }) => inDocument(documents, textDocument.uri, symbolsOf));
  connection.onDocumentLinks(({ textDocument }) => inDocument(documents, textDocument.uri, linksOfDocument));
  connection.onNotification(liveMethods.changed, () => {
    if (hasLenses) {
      refresh();
    }
  });
  connection.onShutdown(() => checks.dispose());
  documents.listen(connection);
  connection.listen();
}

/** How long nobody has typed in a document, in ms, before it is looked at for mistakes. */
const pauseMs = 100;

/** Looks at documents once nobody types in them: a large one takes long, and whatever else is asked meanwhile would wait for each key. */
class LateChecks {
  readonly #check: (uri: string) => void;
  readonly #waiting = new Map<string, Disposable>();

  constructor(check: (uri: string) => void) {
    this.#check = check;
  }

  note(uri: string): void {
    this.forget(uri);
    const waiting = systemClock.schedule(pauseMs, () => {
      this.#waiting.delete(uri);
      this.#check(uri);
    });
    this.#waiting.set(uri, waiting);
  }

  forget(uri: string): void {
    this.#waiting.get(uri)?.dispose();
    this.#waiting.delete(uri);
  }

  dispose(): void {
    this.#waiting.forEach((each) => each.dispose());
  }
}

/** Has the lenses drawn anew. While the editor is at it, all that changes further is one more time, afterwards. */
function refresher(connection: Connection): () => void {
  let isAsked = false;
  let isWantedAgain = false;
  const refresh = (): void => {
    if (isAsked) {
      isWantedAgain = true;
      return;
    }
    isAsked = true;
    const refreshed = connection.sendRequest(CodeLensRefreshRequest.type).finally(() => {
      isAsked = false;
      if (isWantedAgain) {
        isWantedAgain = false;
        refresh();
      }
    });
    tell(connection, 'The lenses could not be drawn anew', refreshed);
  };
  return refresh;
}

/** How the servers are, from the editor. An editor that does not know these requests has nothing to say. */
function liveServers(connection: Connection): LiveEditor {
  return {
    lenses: (uri, names) => connection.sendRequest<LensesResult>(liveMethods.lenses, { uri, names }).catch(() => []),
    facts: async (params) => (await connection.sendRequest<FactsResult>(liveMethods.facts, params).catch(() => ({ lines: [] }))).lines,
  };
}

function publish(connection: Connection, uri: string, diagnostics: Diagnostic[]): void {
  tell(connection, 'The problems of a document could not be sent', connection.sendDiagnostics({ uri, diagnostics }));
}

function tell(connection: Connection, trouble: string, sent: Promise<unknown>): void {
  sent.catch((error: unknown) => connection.console.error(`${trouble}: ${messageOf(error)}`));
}

function inDocument<T>(
  documents: TextDocuments<TextDocument>,
  uri: string,
  answer: (document: TextDocument, kind: DocumentKind) => T,
): T | undefined {
  const held = documents.get(uri);
  const kind = documentKind(uri);
  if (held === undefined || kind === undefined || !isReadable(held.getText())) {
    return undefined;
  }
  // The held document changes as somebody types; whoever waits for something in between must go on with the text that they read.
  return answer(TextDocument.create(uri, held.languageId, held.version, held.getText()), kind);
}

function atPlace<T>(
  documents: TextDocuments<TextDocument>,
  { textDocument, position }: TextDocumentPositionParams,
  answer: (document: TextDocument, kind: DocumentKind, offset: number) => T | undefined,
): T | undefined {
  return inDocument(documents, textDocument.uri, (document, kind) => answer(document, kind, document.offsetAt(position)));
}
