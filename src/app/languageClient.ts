import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { messageOf } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { prefixed, type Log } from '../base/log.ts';
import { documentKind } from '../languageServer/documentKind.ts';

export interface ConfigurationHelp extends Disposable {
  /** Ends the server's process; settled within two seconds, whatever the server does. */
  stop(): Promise<void>;
}

const schemes = ['file', 'vscode-userdata', 'vscode-remote'];
const languages = ['jsonc', 'json'];
const stopWithinMs = 1_500;

/** Help in configuration files, in trusted windows. The library and the server's process start with the first such document, not with the window. */
export async function startLanguageClient(asAbsolutePath: (relativePath: string) => string, log: Log): Promise<ConfigurationHelp> {
  const help = new LazyLanguageClient(asAbsolutePath('dist/languageServer.js'), prefixed(log, 'configuration help'));
  help.watch();
  return help;
}

class LazyLanguageClient implements ConfigurationHelp {
  readonly #module: string;
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  #running: Promise<LanguageClient | undefined> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(module: string, log: Log) {
    this.#module = module;
    this.#log = log;
  }

  watch(): void {
    const startFor = (document: vscode.TextDocument): void => {
      if (vscode.workspace.isTrusted && isHelped(document)) {
        this.#running ??= this.#start();
      }
    };
    const startForAll = (): void => vscode.workspace.textDocuments.forEach(startFor);
    this.#lifetime.add(vscode.workspace.onDidOpenTextDocument(startFor));
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(startForAll));
    startForAll();
  }

  stop(): Promise<void> {
    this.#lifetime.dispose();
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  dispose(): void {
    void this.stop();
  }

  /** Never rejects: without this help everything else works, and the log says why it is missing. */
  async #start(): Promise<LanguageClient | undefined> {
    try {
      const { createConfigurationClient } = await import('./configurationClient.ts');
      const client = createConfigurationClient(this.#module, { schemes, languages }, this.#log);
      if (this.#lifetime.isDisposed) {
        return undefined;
      }
      await client.start();
      return client;
    } catch (error) {
      this.#log.error('The language server for configuration files did not start.', error);
      return undefined;
    }
  }

  async #stop(): Promise<void> {
    const ended = this.#running?.then((client) => client?.dispose(stopWithinMs));
    try {
      // A start that hangs must not hold up the window; the server ends itself when its channel breaks.
      await Promise.race([ended, timeout(stopWithinMs)]);
    } catch (error) {
      this.#log.warn(`The language server for configuration files did not stop in time: ${messageOf(error)}`);
    }
  }
}

function isHelped(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  return schemes.includes(scheme) && languages.includes(document.languageId) && documentKind(document.uri.toString()) !== undefined;
}

function timeout(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms).unref();
  });
}
