import type { Disposable } from '../base/lifecycle.ts';
import type { EndedRun } from '../host/byHand/toolByHand.ts';
import type { ToolKey } from '../host/byHand/keptRuns.ts';
import type { ToolInfo } from '../host/shared/serverState.ts';
import { takesArguments, toolParameters } from '../schemaForms/toolArguments.ts';
import { ToolRunnerTab, type ToolRunnerPorts } from './toolRunnerTab.ts';

/** The tabs of Run Tool: one for each tool. */
export class ToolRunners implements Disposable {
  readonly #ports: ToolRunnerPorts;
  readonly #tabs = new Map<string, ToolRunnerTab>();

  constructor(ports: ToolRunnerPorts) {
    this.#ports = ports;
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

  dispose(): void {
    [...this.#tabs.values()].forEach((tab) => tab.dispose());
  }

  #tab(key: ToolKey): ToolRunnerTab {
    const name = JSON.stringify([key.serverId, key.tool]);
    const tab = this.#tabs.get(name) ?? new ToolRunnerTab(key, this.#ports, () => this.#tabs.delete(name));
    this.#tabs.set(name, tab);
    return tab;
  }
}
