import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { productName } from '../contract/identity.ts';
import { mayRestart } from '../editor/configurationHelp.ts';
import { documentPattern } from '../languageServer/documents.ts';
import { problemTable } from '../languageServer/problem.ts';
import { nativeText } from '../views/nativeText.ts';
import { say } from '../views/errorReporter.ts';
import { sentenceOfData } from '../views/sentences/translate.ts';

export interface HelpedDocuments {
  readonly schemes: readonly string[];
  readonly languages: readonly string[];
}

/**
 * Creates the client of the language server for configuration files. This file is loaded on first use: the library is CommonJS,
 * and a dynamic import of the library itself would give a bundle without its named exports.
 */
export function createConfigurationClient(module: string, { schemes, languages }: HelpedDocuments, log: Log): LanguageClient {
  let timesEnded = 0;
  const options: LanguageClientOptions = {
    documentSelector: schemes.flatMap((scheme) => languages.map((language) => ({ scheme, language, pattern: documentPattern }))),
    diagnosticCollectionName: productName,
    outputChannel: logChannel(log),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // The server speaks English, and sends with each diagnostic what is needed to say it in the person's language.
    middleware: {
      handleDiagnostics: (uri, diagnostics, next) => {
        diagnostics.forEach((each) => {
          const sentence = 'data' in each ? sentenceOfData(each.data, problemTable, say) : undefined;
          each.message = nativeText(sentence ?? each.message, 1_000);
        });
        next(uri, diagnostics);
      },
    },
    // `handled` keeps the library from speaking to the person: that is the error reporter's part.
    initializationFailedHandler: (error) => {
      log.error('The language server for configuration files could not be initialised.', error);
      return false;
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        timesEnded += 1;
        return { action: mayRestart(timesEnded) ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
      },
    },
  };
  // The server needs no secret of the person's environment, and no flags meant for other programs.
  const env = { ANTHROPIC_API_KEY: undefined, NODE_OPTIONS: undefined };
  const server = { module, transport: TransportKind.ipc, options: { env } };
  return new LanguageClient('duplex.configurationHelp', productName, server, options);
}

/** Makes our log the output channel that the library wants. Only writing to it does anything. */
function logChannel(log: Log): vscode.LogOutputChannel {
  const nothing = (): void => undefined;
  const quiet = { clear: nothing, show: nothing, hide: nothing, dispose: nothing };
  return {
    name: productName,
    logLevel: vscode.LogLevel.Info,
    onDidChangeLogLevel: () => ({ dispose: nothing }),
    trace: (message) => log.trace(message),
    debug: (message) => log.debug(message),
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
    error: (error) => log.error(messageOf(error)),
    append: (value) => log.debug(value),
    appendLine: (value) => log.debug(value),
    replace: (value) => log.debug(value),
    ...quiet,
  };
}
