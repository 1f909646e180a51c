import * as os from 'node:os';
import * as vscode from 'vscode';
import type { FactsParams, FactsResult, LensesResult, ServerLens } from '../../../contract/configurationHelp.ts';
import { productName } from '../../../contract/identity.ts';
import { expand } from '../../../definitions/variables.ts';
import { listDefinitionFolders } from '../../../editor/shared/workspaceFolders.ts';
import type { ServerSnapshot } from '../../../host/shared/serverState.ts';
import { findExecutable } from '../../../platform/processes/findExecutable.ts';
import { withoutSecrets } from '../../../secrets/redactSecrets.ts';
import { commandId } from '../../commandTable.ts';
import { nativeText } from '../../nativeText.ts';
import { describeServer } from '../serverDescription.ts';
import { serverIdIn } from './serversInDocument.ts';

export interface LiveServersOptions {
  servers(): readonly ServerSnapshot[];
  /** The values of a server that are known to be secret. */
  secretsOf(id: string): readonly string[];
  /** The PATH that servers get; the person's shell is not asked for it here. */
  searchPath(): Promise<string>;
  /** The folder where VS Code keeps its own settings. */
  readonly userDataPath: string;
}

/** The most characters of each text that stands above a server in its file. */
const maxTitle = 80;

/** What stands above a server in the file that defines it: how it is, and what can be done now. */
export function lensesFor(server: ServerSnapshot): readonly ServerLens[] {
  const { text, abilities } = describeServer(server);
  const lens = (title: string, command?: Parameters<typeof commandId>[0]): ServerLens => {
    return { title: nativeText(title, maxTitle), serverId: server.id, ...(command === undefined ? {} : { command: commandId(command) }) };
  };
  const { state } = server;
  const needsReview = state.kind === 'stopped' && state.reason === 'needsConsent';
  const isPlain = state.kind === 'stopped' && (state.reason === 'byUser' || state.reason === 'neverStarted');
  return [
    ...(needsReview ? [lens(vscode.l10n.t('needs permission: Review'), 'startServer')] : []),
    ...(needsReview || isPlain ? [] : [lens(state.kind === 'ready' ? countsOf(server) : text)]),
    ...(abilities.includes('startable') && !needsReview ? [lens(vscode.l10n.t('Start'), 'startServer')] : []),
    ...(server.box?.wanted ?? []).slice(0, 1).map((host) => lens(vscode.l10n.t('wanted {0}: allow?', host), 'allowHost')),
    ...(abilities.includes('stoppable') ? [lens(vscode.l10n.t('Stop'), 'stopServer')] : []),
    ...(abilities.includes('restartable') ? [lens(vscode.l10n.t('Restart'), 'restartServer')] : []),
    ...(abilities.includes('enableable') ? [lens(vscode.l10n.t('Enable'), 'enableServer')] : []),
    ...(abilities.includes('loggable') ? [lens(vscode.l10n.t('Log'), 'showServerLog')] : []),
  ];
}

/** Above the servers of its own file VS Code has lenses of its own, which start another process: ours say whose they are. */
function hasLensesOfVsCode({ path }: vscode.Uri): boolean {
  return /\/(?:\.vscode|User)\/mcp\.json$/.test(path);
}

function withName([first, ...others]: readonly ServerLens[]): readonly ServerLens[] {
  return first === undefined ? [] : [{ ...first, title: `${productName}: ${first.title}` }, ...others];
}

function countsOf(server: ServerSnapshot): string {
  return describeServer(server).text.split(', ').join(' · ');
}

/** Answers what the language server asks about the servers in a document. */
export class LiveServers {
  readonly #options: LiveServersOptions;

  constructor(options: LiveServersOptions) {
    this.#options = options;
  }

  lenses(uri: string, names: readonly string[]): LensesResult {
    const servers = new Map(this.#options.servers().map((server) => [server.id, server]));
    const document = vscode.Uri.parse(uri, true);
    return names.map((name) => {
      const server = servers.get(serverIdIn(document, name, this.#options.userDataPath) ?? '');
      const lenses = server === undefined ? [] : lensesFor(server);
      return hasLensesOfVsCode(document) ? withName(lenses) : lenses;
    });
  }

  /** Everything that the lenses of all servers say now: they are drawn anew only when this changes. */
  look(): string {
    return JSON.stringify(this.#options.servers().map(lensesFor));
  }

  async facts({ uri, name, text, isCommand }: FactsParams): Promise<FactsResult> {
    const id = serverIdIn(vscode.Uri.parse(uri, true), name, this.#options.userDataPath);
    const server = this.#options.servers().find((each) => each.id === id);
    if (text === undefined) {
      return { lines: server === undefined ? [] : this.#shown(server.id, stateLines(server)) };
    }
    const expanded = expansionOf(text);
    const program = isCommand === true ? await this.#programLine(expanded?.shown ?? text) : undefined;
    return { lines: this.#shown(id ?? '', [...(expanded?.lines ?? []), ...(program === undefined ? [] : [program])]) };
  }

  #shown(id: string, lines: readonly string[]): readonly string[] {
    return lines.map((line) => nativeText(withoutSecrets(line, this.#options.secretsOf(id)), 1_000));
  }

  /** Says where a program is. Only names on the PATH are looked up, and absolute paths of this machine: nothing else is touched. */
  async #programLine(command: string): Promise<string | undefined> {
    const isName = /^[^\\/$]+$/.test(command);
    const isOwnPath = /^(?:\/(?!\/)|[A-Za-z]:[\\/])/.test(command) && !command.includes('${');
    if (!isName && !isOwnPath) {
      return undefined;
    }
    const search = { shownCommand: command, cwd: os.homedir(), platform: process.platform, pathExtensions: process.env['PATHEXT'] };
    try {
      const file = await findExecutable(command, { ...search, searchPath: await this.#options.searchPath() });
      return vscode.l10n.t('Found at {0}', file);
    } catch {
      return vscode.l10n.t('Not found on this machine');
    }
  }
}

function stateLines(server: ServerSnapshot): readonly string[] {
  const { sentence, text, advice, facts } = describeServer(server);
  const counts = server.state.kind === 'ready' ? [text] : [];
  return [sentence, ...counts, ...(advice === undefined ? [] : [advice]), ...facts];
}

/** What a text becomes. The names of variables and inputs stay: their values may be secrets. */
function expansionOf(text: string): { readonly shown: string; readonly lines: readonly string[] } | undefined {
  if (!text.includes('${')) {
    return undefined;
  }
  const folders = listDefinitionFolders();
  const context = { folder: folders[0], folders, userHome: os.homedir(), env: process.env };
  try {
    const { shown, variables, inputs } = expand(text, context);
    const isSet = (name: string): boolean => process.env[name] !== undefined;
    const lines = [
      ...(shown === text ? [] : [vscode.l10n.t('Becomes {0}', shown)]),
      ...variables.map((name) =>
        isSet(name) ? vscode.l10n.t('{0} is set.', name) : vscode.l10n.t('{0} is not set: nothing will stand there.', name),
      ),
      ...inputs.map((id) => vscode.l10n.t('{0} is asked for once, and kept in the secret storage.', id)),
    ];
    return { shown, lines };
  } catch {
    return undefined; // a folder that is not open, or no variable at all
  }
}
