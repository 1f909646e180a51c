// traffic/: the view of all protocol messages (this file), and how one is sent again or becomes a script.
import { setImmediate as letOthersWork } from 'node:timers/promises';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { trafficToHost, type ScriptRefusal, type trafficToView } from '../../contract/pages/trafficMessages.ts';
import { trafficLines, type TrafficLog, type TrafficRecord } from '../../traffic/trafficLog.ts';
import { commandId } from '../commandTable.ts';
import { RecordingTime, TrafficFeed } from './trafficFeed.ts';
import { saveExport } from '../pages/saveExport.ts';
import { WebviewLink, type Handlers } from '../pages/webviewLink.ts';
import { pageRoots, renderPage } from '../pages/webviewPage.ts';

export interface TrafficViewOptions {
  readonly traffic: TrafficLog;
  readonly extensionUri: vscode.Uri;
  /** Sends a request of ours once more, with the same questions as by hand. */
  readonly sendAgain: (record: TrafficRecord) => Promise<void>;
  /** Writes a program that repeats an exchange, where there can be one. */
  readonly scriptOf: (record: TrafficRecord) => string | undefined;
  /** Why there can be no such program; undefined where there can be one. */
  readonly whyNoScript: (record: TrafficRecord) => ScriptRefusal | undefined;
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
}

type TrafficLink = WebviewLink<typeof trafficToHost, typeof trafficToView>;

/**
 * Shows every protocol message of this window in the panel. Nothing is recorded before the view is first shown, or while it is
 * paused.
 */
export class TrafficView implements Disposable {
  readonly #options: TrafficViewOptions;
  #page: DisposableStore | undefined;
  #view: vscode.WebviewView | undefined;
  #isPaused = false;
  #isKept = false;
  readonly #time = new RecordingTime();

  constructor(options: TrafficViewOptions) {
    this.#options = options;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, log } = this.#options;
    this.#page?.dispose();
    const page = new DisposableStore();
    this.#page = page;
    this.#view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    const feed = page.add(this.#createFeed(() => link));
    const link: TrafficLink = page.add(
      new WebviewLink(
        view.webview,
        trafficToHost,
        this.#handlers(feed, () => link),
        log,
      ),
    );
    page.add(view.onDidChangeVisibility(() => this.#record()));
    page.add(view.onDidDispose(() => this.#close(page)));
    this.#record();
    view.webview.html = renderPage(view.webview, extensionUri, 'traffic');
  }

  dispose(): void {
    this.#page?.dispose();
  }

  #close(page: DisposableStore): void {
    page.dispose();
    if (this.#page === page) {
      this.#page = undefined;
      this.#view = undefined;
      this.#record();
    }
  }

  /** Records while somebody looks, or when they have asked to go on while the view is hidden. */
  #record(): void {
    const isWatched = this.#view?.visible === true || (this.#isKept && this.#view !== undefined);
    const isOn = isWatched && !this.#isPaused;
    this.#time.set(isOn, Date.now());
    this.#options.traffic.setOpen(isOn);
  }

  #createFeed(link: () => TrafficLink): TrafficFeed {
    return new TrafficFeed({
      log: this.#options.traffic,
      clock: systemClock,
      whyNoScript: this.#options.whyNoScript,
      postRows: (rows) => link().post('traffic/rows', rows),
      postFound: (found) => link().post('traffic/found', found),
      postDetail: (detail) => link().post('traffic/detail', detail),
      letOthersWork: () => letOthersWork(),
    });
  }

  #handlers(feed: TrafficFeed, link: () => TrafficLink): Handlers<typeof trafficToHost> {
    const { traffic, onFailure, sendAgain } = this.#options;
    const run = (work: Promise<unknown>): void => void work.catch(onFailure);
    const postStatus = (): void => {
      this.#record();
      const { since, hasGaps } = this.#time;
      link().post('traffic/status', { isPaused: this.#isPaused, isKept: this.#isKept, since, hasGaps });
    };
    return {
      ready: () => {
        postStatus();
        feed.start();
      },
      'traffic/find': ({ text }) => run(feed.find(text)),
      'traffic/select': ({ number }) => feed.select(number),
      'traffic/pause': ({ isPaused }) => {
        this.#isPaused = isPaused;
        postStatus();
      },
      'traffic/keep': ({ isKept }) => {
        this.#isKept = isKept;
        postStatus();
      },
      'traffic/clear': () => {
        this.#time.clear(Date.now());
        traffic.clear();
        postStatus();
      },
      'traffic/export': ({ numbers }) => run(this.#export(numbers)),
      'traffic/exportScript': ({ number }) => run(this.#exportScript(number)),
      'traffic/sendAgain': ({ number }) => {
        const record = traffic.find(number);
        if (record !== undefined) {
          run(sendAgain(record).then(() => feed.selectLike(record)));
        }
      },
      'traffic/runTool': () => void vscode.commands.executeCommand(commandId('runTool')),
    };
  }

  async #export(numbers: readonly number[]): Promise<void> {
    const { traffic } = this.#options;
    const records = numbers.flatMap((number) => traffic.find(number) ?? []);
    const lines = await trafficLines(records, () => letOthersWork());
    await saveExport(vscode.l10n.t('Export Messages'), 'duplex-traffic.jsonl', { 'JSON Lines': ['jsonl'] }, lines);
  }

  /** Saves a script and opens it: whoever runs it should have read it. */
  async #exportScript(number: number): Promise<void> {
    const record = this.#options.traffic.find(number);
    const script = record && this.#options.scriptOf(record);
    if (record === undefined || script === undefined) {
      return;
    }
    const name = `repeat-${[record.method, record.subject]
      .join('-')
      .replaceAll(/[^A-Za-z\d]+/g, '-')
      .slice(0, 60)}.mjs`;
    const saved = await saveExport(vscode.l10n.t('Export as Script'), name, { JavaScript: ['mjs'] }, script);
    if (saved !== undefined) {
      await vscode.window.showTextDocument(saved);
    }
  }
}
