import * as vscode from 'vscode';
import { neverAborted, within } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';

/** The part of a language client that is needed here. */
export interface HelpClient {
  start(): Promise<void>;
  /** Ends the server's process; rejects when that takes longer than the limit. */
  dispose(timeoutMs: number): Promise<void>;
}

export interface ConfigurationHelpOptions {
  isHelped(document: vscode.TextDocument): boolean;
  /** Makes the client; called when the first such document is opened. */
  createClient(): Promise<HelpClient>;
  /** The form of such a document as a JSON schema: VS Code itself helps by it where the language server is off. */
  schema(): Promise<string>;
  readonly log: Log;
}

/** The address of the schema of server definitions, as package.json names it. */
const schemaUri = 'duplex-schema:/servers.json';

/** How long, in ms, the language server may take to stop before it is no longer waited for. */
const stopWithinMs = 1_500;

/**
 * Help in configuration files, in trusted windows. The client library and the server's process start with the first such
 * document, not with the window.
 */
export class ConfigurationHelp implements Disposable {
  readonly #options: ConfigurationHelpOptions;
  readonly #lifetime = new DisposableStore();
  #running: Promise<HelpClient | undefined> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: ConfigurationHelpOptions) {
    this.#options = options;
    const startFor = (document: vscode.TextDocument): void => {
      if (vscode.workspace.isTrusted && options.isHelped(document)) {
        this.#running ??= this.#start();
      }
    };
    // Two helpers would say everything twice.
    const schema: vscode.TextDocumentContentProvider = {
      onDidChange: (tell) => vscode.workspace.onDidGrantWorkspaceTrust(() => void tell(vscode.Uri.parse(schemaUri))),
      provideTextDocumentContent: () => (vscode.workspace.isTrusted ? '{}' : options.schema()),
    };
    this.#lifetime.add(vscode.workspace.registerTextDocumentContentProvider('duplex-schema', schema));
    const startForAll = (): void => vscode.workspace.textDocuments.forEach(startFor);
    this.#lifetime.add(vscode.workspace.onDidOpenTextDocument(startFor));
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(startForAll));
    startForAll();
  }

  /** Ends the server's process. The promise settles within two seconds, whatever the server does. */
  stop(): Promise<void> {
    this.#lifetime.dispose();
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  dispose(): void {
    void this.stop();
  }

  /** The promise never rejects: without this help everything else works, and the log says why it is missing. */
  async #start(): Promise<HelpClient | undefined> {
    try {
      const client = await this.#options.createClient();
      if (this.#lifetime.isDisposed) {
        return undefined;
      }
      await client.start();
      return client;
    } catch (error) {
      this.#options.log.error('It did not start.', error);
      return undefined;
    }
  }

  async #stop(): Promise<void> {
    const ended = Promise.resolve(this.#running).then((client) => client?.dispose(stopWithinMs));
    try {
      // A start that hangs must not hold up the window; the server ends itself when its channel breaks.
      await within(ended, stopWithinMs, neverAborted(), () => new Error(`not within ${stopWithinMs} ms`));
    } catch (error) {
      this.#options.log.warn(`It did not stop in time: ${messageOf(error)}`);
    }
  }
}
