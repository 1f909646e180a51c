import * as vscode from 'vscode';
import { atMost } from '../base/abort.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { runnerStored } from '../contract/runnerMessages.ts';
import type { EndedRun } from '../host/byHand/toolByHand.ts';
import type { ToolKey } from '../host/byHand/keptRuns.ts';
import type { ToolInfo } from '../host/shared/serverState.ts';
import { takesArguments, toolParameters } from '../schemaForms/toolArguments.ts';
import { ToolRunnerTab, type ToolRunnerPorts } from './toolRunnerTab.ts';

/** A window whose servers take longer shows the tab without them, and once more when they are there. */
const maxKnownMs = 10_000;

/** The tabs of Run Tool: one for each tool, there again after a reload. */
export class ToolRunners implements Disposable {
  readonly #ports: ToolRunnerPorts;
  readonly #restoring: Disposable;
  readonly #tabs = new Map<string, ToolRunnerTab>();

  constructor(ports: ToolRunnerPorts) {
    this.#ports = ports;
    this.#restoring = vscode.window.registerWebviewPanelSerializer('duplex.runner', {
      deserializeWebviewPanel: (panel, stored: unknown) => this.#restore(panel, stored),
    });
  }

  /** The tab that is there already, else a new one. A tool that takes no arguments is run at once. */
  open(serverId: string, tool: ToolInfo): void {
    const tab = this.#tab({ serverId, tool: tool.name });
    tab.show();
    if (!takesArguments(toolParameters(tool.inputSchema))) {
      tab.runAtOnce();
    }
  }

  /** What came of a call that was made without a form, as if it had been made in the tool's tab. */
  showRun(key: ToolKey, ended: EndedRun): void {
    const tab = this.#tab(key);
    tab.showRun(ended);
  }

  /** The tabs themselves stay: a window that is reloaded shows them again. */
  dispose(): void {
    this.#restoring.dispose();
    [...this.#tabs.values()].forEach((tab) => tab.dispose());
  }

  /** A page that does not say whose it was, or one too many, is of no use. */
  async #restore(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    await atMost(this.#ports.serversKnown, maxKnownMs);
    const { data } = runnerStored.safeParse(stored);
    if (data === undefined || this.#tabs.has(nameOf(data.key))) {
      panel.dispose();
    } else {
      this.#tab(data.key).restore(panel);
    }
  }

  #tab(key: ToolKey): ToolRunnerTab {
    const name = nameOf(key);
    const tab = this.#tabs.get(name) ?? new ToolRunnerTab(key, this.#ports, () => this.#tabs.delete(name));
    this.#tabs.set(name, tab);
    return tab;
  }
}

function nameOf({ serverId, tool }: ToolKey): string {
  return JSON.stringify([serverId, tool]);
}
