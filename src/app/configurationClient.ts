import * as path from 'node:path';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
  type LanguageClientOptions,
  type Middleware,
} from 'vscode-languageclient/node';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { factsParams, lensesParams, liveMethods } from '../contract/configurationHelp.ts';
import { productName } from '../contract/identity.ts';
import type { HelpClient } from '../editor/configurationHelp.ts';
import { documentPattern } from '../languageServer/documents.ts';
import { fixTable } from '../languageServer/fixTitles.ts';
import { isHelp } from '../languageServer/helpTexts.ts';
import { problemTable } from '../languageServer/problem.ts';
import { pathVariable } from '../platform/processes/findExecutable.ts';
import { ChangeNews } from '../views/changeNews.ts';
import { nativeText } from '../views/nativeText.ts';
import { say } from '../views/errorReporter.ts';
import { sentenceOfData } from '../views/sentences/translate.ts';
import { HelpEnds } from '../views/servers/files/helpEnds.ts';
import { LiveServers } from '../views/servers/files/serverLenses.ts';
import type { ConfigurationHelpJoinOptions } from './configurationHelpJoin.ts';

export interface ConfigurationClientOptions extends ConfigurationHelpJoinOptions {
  readonly schemes: readonly string[];
  readonly languages: readonly string[];
}

/**
 * Creates the client of the language server for configuration files. This file is loaded on first use: the library is CommonJS,
 * and a dynamic import of the library itself would give a bundle without its named exports.
 */
export function createConfigurationClient(options: ConfigurationClientOptions): HelpClient {
  const { host, extensionPath } = options;
  const module = path.join(extensionPath, 'dist', 'languageServer.js');
  // The server needs no secret of the person's environment, and no flags meant for other programs.
  const env = { ANTHROPIC_API_KEY: undefined, NODE_OPTIONS: undefined };
  const server = { module, transport: TransportKind.ipc, options: { env } };
  const ends = new HelpEnds({ start: () => client.start(), reporter: options.reporter, log: options.log });
  const client: LanguageClient = new LanguageClient('duplex.configurationHelp', productName, server, clientOptions(options, ends));
  const live = joinLiveServers(client, options);
  const news = new ChangeNews({
    look: () => live.look(),
    tell: () => {
      const isDrawn = client.isRunning();
      if (isDrawn) {
        void client.sendNotification(liveMethods.changed).catch((error: unknown) => options.log.debug(messageOf(error)));
      }
      return isDrawn;
    },
  });
  const watching = host.registry.onDidChange(() => news.note());
  return {
    start: () => client.start(),
    dispose: (timeoutMs) => {
      watching.dispose();
      news.dispose();
      return client.dispose(timeoutMs);
    },
  };
}

/** Answers what the language server asks about running servers. What it sends is checked: it reads files of a repository. */
function joinLiveServers(client: LanguageClient, options: ConfigurationClientOptions): LiveServers {
  const { host, secrets, loginShellPath, userDataPath } = options;
  const live = new LiveServers({
    servers: () => host.registry.servers(),
    secretsOf: (id) => secrets.of(id),
    searchPath: () => (loginShellPath.wasAsked ? loginShellPath.read() : Promise.resolve(pathVariable(process.env).value)),
    userDataPath,
  });
  client.onRequest(liveMethods.lenses, (params: unknown) => {
    const { uri, names } = lensesParams().parse(params);
    return live.lenses(uri, names);
  });
  client.onRequest(liveMethods.facts, (params: unknown) => live.facts(factsParams().parse(params)));
  return live;
}

/** Says the help for a key in the person's language. What else is shown there is the person's own text. */
function translateHelp(shown: unknown): void {
  if (shown instanceof vscode.MarkdownString && isHelp(shown.value)) {
    shown.value = say(shown.value);
  }
}

/** The server speaks English, and sends with each sentence what is needed to say it in the person's language. */
const translating: Middleware = {
  handleDiagnostics: (uri, diagnostics, next) => {
    diagnostics.forEach((each) => {
      const sentence = 'data' in each ? sentenceOfData(each.data, problemTable, say) : undefined;
      each.message = nativeText(sentence ?? each.message, 1_000);
    });
    next(uri, diagnostics);
  },
  provideCodeActions: async (document, range, context, token, next) => {
    const actions = (await next(document, range, context, token)) ?? [];
    actions.forEach((each) => {
      const sentence = 'data' in each ? sentenceOfData(each.data, fixTable, say) : undefined;
      each.title = nativeText(sentence ?? each.title);
    });
    return actions;
  },
  provideHover: async (document, position, token, next) => {
    const hover = await next(document, position, token);
    hover?.contents.forEach(translateHelp);
    return hover;
  },
  provideCompletionItem: async (document, position, context, token, next) => {
    const items = (await next(document, position, context, token)) ?? [];
    (Array.isArray(items) ? items : items.items).forEach(({ documentation }) => translateHelp(documentation));
    return items;
  },
};

function clientOptions({ schemes, languages, log }: ConfigurationClientOptions, ends: HelpEnds): LanguageClientOptions {
  return {
    documentSelector: schemes.flatMap((scheme) => languages.map((language) => ({ scheme, language, pattern: documentPattern }))),
    diagnosticCollectionName: productName,
    outputChannel: logChannel(log),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: translating,
    // `handled` keeps the library from speaking to the person: that is the error reporter's part.
    initializationFailedHandler: (error) => {
      log.error('It could not be initialised.', error);
      return false;
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: ends.note() ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
    },
  };
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
