import * as vscode from 'vscode';
import { abortError, atMost } from '../base/abort.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { EndedRun } from '../host/byHand/toolByHand.ts';
import type { ToolKey } from '../host/byHand/keptRuns.ts';
import type { ToolInfo } from '../host/shared/serverState.ts';
import { Doorway } from './doorway.ts';
import type { RunnerTabs } from './runnerTabs.ts';

export interface ToolRunnersOptions {
  /** Before that, none being there says nothing. */
  readonly serversKnown: Promise<void>;
  /** What the tabs are made of: nothing of it is needed before one is opened. */
  readonly load: (lifetime: DisposableStore) => Promise<RunnerTabs>;
  readonly report: (error: unknown) => void;
}

/** A window whose servers take longer shows the tab without them, and once more when they are there. */
const maxKnownMs = 10_000;

/** The tabs of Run Tool: one for each tool, there again after a reload. */
export class ToolRunners implements Disposable {
  readonly #options: ToolRunnersOptions;
  readonly #lifetime = new DisposableStore();
  readonly #tabs: Doorway<RunnerTabs>;

  constructor(options: ToolRunnersOptions) {
    this.#options = options;
    this.#tabs = new Doorway({ load: () => this.#load(), report: options.report });
    this.#lifetime.add(
      vscode.window.registerWebviewPanelSerializer('duplex.runner', {
        deserializeWebviewPanel: (panel, stored: unknown) => this.#restore(panel, stored),
      }),
    );
  }

  /** The tab that is there already, else a new one. A tool that takes no arguments is run at once. */
  async open(serverId: string, tool: ToolInfo): Promise<void> {
    (await this.#tabs.load()).open(serverId, tool);
  }

  /** What came of a call that was made without a form, as if it had been made in the tool's tab. */
  async showRun(key: ToolKey, ended: EndedRun): Promise<void> {
    (await this.#tabs.load()).showRun(key, ended);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #load(): Promise<RunnerTabs> {
    const tabs = this.#lifetime.add(await this.#options.load(this.#lifetime));
    if (this.#lifetime.isDisposed) {
      throw abortError();
    }
    return tabs;
  }

  #restore(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    return this.#tabs.enter(panel, async (tabs) => {
      await atMost(this.#options.serversKnown, maxKnownMs);
      tabs.restore(panel, stored);
    });
  }
}
