import type * as vscode from 'vscode';
import type { Disposable } from '../base/lifecycle.ts';
import { runnerStored } from '../contract/runnerMessages.ts';
import type { EndedRun } from '../host/byHand/toolByHand.ts';
import type { ToolKey } from '../host/byHand/keptRuns.ts';
import type { ToolInfo } from '../host/shared/serverState.ts';
import { takesArguments, toolParameters } from '../schemaForms/toolArguments.ts';
import { ToolRunnerTab, type ToolRunnerPorts } from './toolRunnerTab.ts';

/** The tabs of Run Tool that are open: at most one for each tool. */
export class RunnerTabs implements Disposable {
  readonly #ports: ToolRunnerPorts;
  readonly #tabs = new Map<string, ToolRunnerTab>();

  constructor(ports: ToolRunnerPorts) {
    this.#ports = ports;
  }

  open(serverId: string, tool: ToolInfo): void {
    const tab = this.#tab({ serverId, tool: tool.name });
    tab.show();
    if (!takesArguments(toolParameters(tool.inputSchema))) {
      tab.runAtOnce();
    }
  }

  showRun(key: ToolKey, ended: EndedRun): void {
    this.#tab(key).showRun(ended);
  }

  /** A page that does not say whose it was, or one too many, is of no use. */
  restore(panel: vscode.WebviewPanel, stored: unknown): void {
    const { data } = runnerStored.safeParse(stored);
    if (data === undefined || this.#tabs.has(nameOf(data.key))) {
      panel.dispose();
    } else {
      this.#tab(data.key).restore(panel);
    }
  }

  /** The tabs themselves stay: a window that is reloaded shows them again. */
  dispose(): void {
    [...this.#tabs.values()].forEach((tab) => tab.dispose());
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
