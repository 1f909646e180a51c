// registry/: the page that searches an MCP Registry and installs from it.
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.ts';
import type { Event } from '../../base/events.ts';
import { type Disposable, type DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { FormValues } from '../../contract/forms/formFields.ts';
import { type RegistryPageState, registryToHost, type registryToView } from '../../contract/pages/registryMessages.ts';
import { freeName, problemOfServerName } from '../../definitions/pasted/newNames.ts';
import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import { addServers, configuredInputs, configuredNames, type ServerPlace } from '../../editor/serverSettings.ts';
import type { ConfiguredServer } from '../../registry/installed.ts';
import { type Runtime, waysOf } from '../../registry/installWays.ts';
import { markedBy, newServer } from '../../registry/newServer.ts';
import { registryAddress, type RegistryClient, RegistrySearch } from '../../registry/registryClient.ts';
import { registryError } from '../../registry/registryErrors.ts';
import type { RegistryEntry } from '../../registry/serverJson.ts';
import { ChangeNews } from '../changeNews.ts';
import { errorSentence } from '../errorReporter.ts';
import { openExternalLink } from '../native/externalLink.ts';
import { PagePanel } from '../pages/pagePanel.ts';
import type { AddedServers } from '../servers/adding/addServer.ts';
import type { NewEntry } from '../servers/adding/newEntries.ts';
import { nameProblemWords } from '../servers/adding/nameProblemWords.ts';
import { BundleDownload, type BundleDownloadOptions, type BundleWay } from './bundleDownload.ts';
import { reviewLines, toCard, toConfigured, toFormWays } from './registryCards.ts';
import { ServerUpdate } from './serverUpdate.ts';

export interface RegistryPanelOptions {
  readonly extensionUri: vscode.Uri;
  /** Asks registries, once the page is shown. */
  readonly client: RegistryClient;
  /** The address of the registry, as it is configured. */
  readonly url: () => string;
  readonly definitions: () => readonly ServerDefinition[];
  /** Whether a program is on this machine. */
  readonly hasProgram: (program: string) => Promise<boolean>;
  /** The machine that bundles would run on, and those that are on it. */
  readonly bundles: Pick<BundleDownloadOptions, 'machine' | 'store'>;
  /** The settings files that a server of this window may stand in. */
  readonly settingsFiles: () => Promise<readonly string[]>;
  /** Writes down how the person answered the question about a download. Rejects where a yes cannot be written down. */
  readonly recordAnswer: (way: BundleWay, answer: 'allowed' | 'denied') => Promise<void>;
  /** Leads a server that `write` adds to the settings on to its start. */
  readonly add: (added: AddedServers, write: () => Promise<void>) => Promise<void>;
  /** Fires when servers were added, changed or removed. */
  readonly onDidChange: Event<void>;
  readonly report: (error: unknown) => void;
  readonly log: Log;
}

/** The server that the person is about to install. */
interface Installing {
  readonly entry: RegistryEntry;
  readonly missing: ReadonlySet<Runtime>;
  /** The bundles among its ways, by the ids of the ways. */
  readonly downloads: ReadonlyMap<string, BundleDownload>;
  readonly suggestedName: string;
  readonly reviewed?: (NewEntry & { readonly download?: BundleDownload | undefined }) | undefined;
  readonly problem?: string | undefined;
}

/** Shows the servers of an MCP Registry in an editor tab. Nothing is asked of the registry before the page is there. */
export class RegistryPanel implements Disposable {
  readonly #options: RegistryPanelOptions;
  readonly #page: PagePanel<typeof registryToHost, typeof registryToView>;
  #search: RegistrySearch | undefined;
  #state: RegistryPageState['state'] = { kind: 'loading' };
  #reading: AbortController | undefined;
  #installing: Installing | undefined;
  #updating: ServerUpdate | undefined;
  /** What is being written into the settings, or was last. */
  #written: Installing['reviewed'];
  /** Whether the settings are being written. The form waits for that: what it downloaded is on its way to its place. */
  #isWriting = false;

  constructor(options: RegistryPanelOptions) {
    this.#options = options;
    const { extensionUri, report, log } = options;
    const quietly = (work: () => Promise<void>): void => void work().catch(report);
    const unlessWriting = (act: () => void): void => (this.#isWriting ? undefined : act());
    const handlers = {
      ready: () => quietly(() => this.#begin(this.#search?.text ?? '')),
      'registry/search': ({ text }: { text: string }) => quietly(() => this.#begin(text)),
      'registry/more': () => quietly(() => this.#read(false)),
      'registry/refresh': () => quietly(() => this.#begin(this.#search?.text ?? '', true)),
      'registry/choose': ({ name }: { name: string }) => unlessWriting(() => quietly(() => this.#choose(name))),
      'registry/back': () => this.#leaveForm(),
      'registry/download': ({ way }: { way: string }) => quietly(() => this.#download(way)),
      'registry/refuseDownload': ({ way }: { way: string }) => quietly(() => this.#refuseDownload(way)),
      'registry/stopDownload': () => this.#stopDownload(),
      'registry/review': (body: { way: string; name: string; values: FormValues }) => unlessWriting(() => this.#review(body)),
      'registry/edit': () => unlessWriting(() => this.#forgetReview()),
      'registry/install': ({ place }: { place: ServerPlace }) => quietly(() => this.#install(place)),
      'registry/update': ({ name, server }: { name: string; server: string }) => unlessWriting(() => this.#showUpdate(name, server)),
      'registry/applyUpdate': () => quietly(() => this.#applyUpdate()),
      'registry/open': (link: { name: string; page: 'repository' | 'website' }) => quietly(() => this.#open(link)),
      'registry/settings': () => quietly(openSetting),
    };
    const title = vscode.l10n.t('Browse Servers');
    const onOpen = (lifetime: DisposableStore): void => {
      const news = lifetime.add(new ChangeNews({ look: () => JSON.stringify(this.#configured()), tell: () => this.#post() }));
      lifetime.add(options.onDidChange(() => news.note()));
      lifetime.add(toDisposable(() => this.#close()));
    };
    // A half-filled form is kept while another tab covers it: a secret that was typed is nowhere else.
    this.#page = new PagePanel({
      page: 'registry',
      title,
      extensionUri,
      messages: registryToHost,
      handlers,
      onOpen,
      isKeptWhenHidden: true,
      log,
    });
  }

  show(): void {
    this.#page.show();
  }

  dispose(): void {
    this.#page.dispose();
  }

  #close(): void {
    this.#reading?.abort();
    this.#search = undefined;
    this.#discardForm();
  }

  #leaveForm(): void {
    this.#discardForm();
    this.#post();
  }

  /** Nothing that was downloaded for a form stays when nobody saves it. What is being saved stays. */
  #discardForm(): void {
    if (this.#isWriting) {
      return;
    }
    for (const download of [...(this.#installing?.downloads.values() ?? []), ...(this.#updating === undefined ? [] : [this.#updating])]) {
      void download.discard().catch(this.#options.report);
    }
    this.#installing = undefined;
    this.#updating = undefined;
  }

  /** Downloads the bundle of a way, once it is written down that the person said so. */
  async #download(id: string): Promise<void> {
    const [way, updating, download] = [this.#asked(id), this.#updating, this.#installing?.downloads.get(id)];
    if (way !== undefined) {
      await this.#options.recordAnswer(way, 'allowed');
      await (updating ?? download)?.start();
      this.#post();
    }
  }

  async #refuseDownload(id: string): Promise<void> {
    const way = this.#asked(id);
    this.#leaveForm();
    if (way !== undefined) {
      await this.#options.recordAnswer(way, 'denied');
    }
  }

  #stopDownload(): void {
    this.#updating?.stop();
    this.#installing?.downloads.forEach((download) => download.stop());
  }

  /** The bundle that the person is asked about. */
  #asked(id: string): BundleWay | undefined {
    const installing = this.#installing === undefined ? [] : waysOf(this.#installing.entry);
    const ways = this.#updating === undefined ? installing : [this.#updating.way];
    const way = ways.find((each) => each?.id === id);
    return way?.kind === 'bundle' ? way : undefined;
  }

  /** Begins a search. One that is still on its way is given up. */
  async #begin(text: string, isFresh = false): Promise<void> {
    this.#reading?.abort();
    this.#discardForm();
    this.#search = new RegistrySearch(this.#options.client, this.#options.url(), text);
    await this.#read(isFresh);
  }

  async #read(isFresh: boolean): Promise<void> {
    const search = this.#search;
    if (search === undefined) {
      return;
    }
    if (this.#options.url().trim() === '') {
      this.#state = { kind: 'off' };
      this.#post();
      return;
    }
    const reading = new AbortController();
    this.#reading = reading;
    this.#state = { kind: 'loading' };
    this.#post();
    try {
      await search.read(reading.signal, isFresh);
      this.#state = { kind: 'listed' };
    } catch (error) {
      if (isAbort(error) || reading.signal.aborted) {
        return;
      }
      this.#options.log.warn(errorSentence(error));
      this.#state = { kind: 'failed', text: revealInvisible(errorSentence(error)) };
    }
    this.#post();
  }

  /** The page names an entry by what it shows, in which nothing is invisible. */
  #find(shown: string): RegistryEntry {
    const entry = this.#search?.entries.find(({ name }) => revealInvisible(name) === shown);
    if (entry === undefined) {
      throw registryError('registry.unknownEntry');
    }
    return entry;
  }

  async #choose(name: string): Promise<void> {
    const entry = this.#find(name);
    const ways = waysOf(entry);
    const runtimes = new Set(ways.flatMap((way) => (way.kind === 'package' && way.runtime !== undefined ? [way.runtime] : [])));
    const found = await Promise.all([...runtimes].map(async (runtime) => ((await this.#options.hasProgram(runtime)) ? [] : [runtime])));
    this.#discardForm();
    const downloads = new Map(ways.flatMap((way) => (way.kind === 'bundle' ? [[way.id, this.#downloadOf(way)]] : [])));
    this.#show({ installing: { entry, missing: new Set(found.flat()), downloads, suggestedName: suggestedFor(entry) } });
  }

  #downloadOf(way: BundleWay): BundleDownload {
    const { bundles, hasProgram } = this.#options;
    return new BundleDownload(way, { ...bundles, hasProgram, onChange: () => this.#post(), t: vscode.l10n.t });
  }

  #review({ way: id, name, values }: { way: string; name: string; values: FormValues }): void {
    const installing = this.#installing;
    if (installing === undefined) {
      return;
    }
    try {
      const way = waysOf(installing.entry).find((each) => each.id === id);
      if (way === undefined) {
        throw registryError('registry.unknownEntry');
      }
      const wanted = name.trim();
      const problem = problemOfServerName(wanted, configuredNames());
      if (problem !== undefined) {
        this.#show({ installing: { ...installing, reviewed: undefined, problem: nameProblemWords(problem, wanted) } });
        return;
      }
      const download = installing.downloads.get(id);
      const configured = configuredInputs();
      const filled = download?.fill(wanted, values, configured) ?? newServer({ name: wanted, way, values, configured });
      const marked = markedBy(installing.entry, filled);
      this.#show({ installing: { ...installing, reviewed: { name: wanted, leftOut: [], download, ...marked }, problem: undefined } });
    } catch (error) {
      this.#show({ installing: { ...installing, reviewed: undefined, problem: revealInvisible(errorSentence(error)) } });
    }
  }

  #forgetReview(): void {
    if (this.#installing?.reviewed !== undefined || this.#installing?.problem !== undefined) {
      this.#show({ installing: { ...this.#installing, reviewed: undefined, problem: undefined } });
    }
  }

  /** Writes exactly what was reviewed; what follows is the ordinary question whether it may start. */
  async #install(place: ServerPlace): Promise<void> {
    const installing = this.#installing;
    const reviewed = installing?.reviewed;
    if (installing === undefined || reviewed === undefined || reviewed === this.#written || !places().includes(place)) {
      return;
    }
    // Another server may have got the name since the review, and would be overwritten.
    const problem = problemOfServerName(reviewed.name, configuredNames());
    if (problem !== undefined) {
      this.#show({ installing: { ...installing, reviewed: undefined, problem: nameProblemWords(problem, reviewed.name) } });
      return;
    }
    // A second press may come while the first is being carried out.
    this.#written = reviewed;
    try {
      await this.#options.add({ place, entries: [reviewed] }, () => this.#write(place, reviewed));
    } catch (error) {
      this.#written = this.#written === reviewed ? undefined : this.#written;
      throw error;
    }
  }

  /** The form stays until everything is written: VS Code writes no settings file that has unsaved changes. */
  async #write(place: ServerPlace, reviewed: NonNullable<Installing['reviewed']>): Promise<void> {
    await this.#whileWriting(async () => {
      await reviewed.download?.keep(await this.#options.settingsFiles());
      await addServers(place, { [reviewed.name]: reviewed.definition }, reviewed.inputs);
    });
    this.#leaveForm();
  }

  async #whileWriting(write: () => Promise<void>): Promise<void> {
    this.#isWriting = true;
    try {
      await write();
    } finally {
      this.#isWriting = false;
    }
  }

  #showUpdate(name: string, server: string): void {
    const entry = this.#find(name);
    const definition = this.#options.definitions().find(({ id }) => id === server);
    this.#discardForm();
    const { bundles } = this.#options;
    const downloadOf = (way: BundleWay): BundleDownload => this.#downloadOf(way);
    this.#show({ updating: definition && ServerUpdate.of({ entry, definition, downloadOf, bundles, t: vscode.l10n.t }) });
  }

  async #applyUpdate(): Promise<void> {
    const updating = this.#updating;
    if (updating !== undefined && !this.#isWriting) {
      await this.#whileWriting(async () => updating.apply(await this.#options.settingsFiles()));
      this.#leaveForm();
    }
  }

  async #open({ name, page }: { name: string; page: 'repository' | 'website' }): Promise<void> {
    await openExternalLink(this.#find(name)[page]);
  }

  #show(change: { readonly installing?: Installing | undefined; readonly updating?: ServerUpdate | undefined }): void {
    this.#installing = 'installing' in change ? change.installing : this.#installing;
    this.#updating = 'updating' in change ? change.updating : this.#updating;
    this.#post();
  }

  #configured(): readonly ConfiguredServer[] {
    return this.#options.definitions().map(toConfigured);
  }

  /** Shows everything anew; it is true, because whatever is shown was posted. */
  #post(): true {
    const url = this.#options.url();
    const servers = this.#configured();
    this.#page.post('registry/page', {
      host: hostOf(url),
      search: this.#search?.text ?? '',
      state: this.#state,
      cards: (this.#search?.entries ?? []).map((entry) => toCard(entry, servers)),
      hasMore: this.#search?.hasMore === true,
      install: this.#installing && formOf(this.#installing),
      update: this.#updating?.shown(),
    });
    return true;
  }
}

function hostOf(url: string): string {
  try {
    return registryAddress(url).host;
  } catch {
    return '';
  }
}

function formOf({ entry, missing, downloads, suggestedName, reviewed, problem }: Installing): RegistryPageState['install'] {
  return {
    name: revealInvisible(entry.name),
    title: revealInvisible(entry.title),
    suggestedName,
    ways: toFormWays(entry, missing, downloads, vscode.l10n.t),
    review: reviewed && { lines: reviewLines(reviewed, vscode.l10n.t), places: [...places()] },
    problem,
  };
}

function places(): readonly ServerPlace[] {
  return vscode.workspace.workspaceFolders === undefined ? ['user'] : ['user', 'workspace'];
}

/** The last part of a name, as `files` of `io.example/files`, with a number behind it where that is taken. */
function suggestedFor({ name }: RegistryEntry): string {
  const last = name.split('/').at(-1) ?? '';
  return freeName(problemOfServerName(last, []) === undefined ? last : 'server', configuredNames());
}

async function openSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'duplex.registry.url');
}
