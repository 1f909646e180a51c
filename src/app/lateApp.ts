import * as vscode from 'vscode';
import { Late, lateMethods, LaterPart } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { commands } from '../contract/commands.ts';
import { ownSchemes, productName, toolTaskType } from '../contract/identity.ts';
import type { LogLevel } from '../base/log.ts';
import { OutputLog } from '../editor/logs/outputLog.ts';
import { LateFiles } from '../editor/shared/flatFiles.ts';
import { registerCommands } from '../views/commandTable.ts';
import { ErrorReporter } from '../views/errorReporter.ts';
import type { App, TestAccess } from './app.ts';

/**
 * Registers what VS Code may ask for at once: commands, tasks and files. The app that answers is loaded right after the
 * activation, so that it holds up neither that nor other extensions; whoever asks earlier waits for it.
 */
export class LateApp implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #app: LaterPart<App>;
  readonly #reporter: ErrorReporter;
  /** The log level; `info` until the app can read the settings. */
  #level: () => LogLevel = () => 'info';
  #loadsSoon: NodeJS.Immediate | undefined;

  constructor(context: vscode.ExtensionContext) {
    const log = this.#lifetime.add(new OutputLog(productName, () => this.#level()));
    this.#reporter = new ErrorReporter(log, () => log.show());
    const common = { log, reporter: this.#reporter };
    this.#app = this.#lifetime.add(
      new LaterPart(async () => {
        const { createApp } = await import('./app.ts');
        const app = createApp(context, common);
        this.#level = () => app.logLevel();
        return app;
      }),
    );
    this.#lifetime.add(registerCommands(lateMethods(new Late(async () => (await this.#parts()).commands), commands), this.#reporter));
    this.#lifetime.add(new LateFiles(ownSchemes.resource, async () => (await this.#parts()).resources()));
    this.#lifetime.add(
      vscode.tasks.registerTaskProvider(toolTaskType, {
        provideTasks: () => [],
        resolveTask: async (task) => (await (await this.#parts()).toolTasks()).resolveTask(task),
      }),
    );
  }

  async testAccess(): Promise<TestAccess> {
    return (await this.#app.get()).testAccess;
  }

  /** Loads the app after `activate` has returned, because even to begin loading takes long. */
  loadSoon(): void {
    this.#loadsSoon = setImmediate(() => void this.#app.get().catch((error: unknown) => this.#reporter.report(error)));
  }

  /** Stops the app, within the time that VS Code grants on shutdown. */
  stop(): Promise<void> {
    clearImmediate(this.#loadsSoon);
    return this.#app.stop();
  }

  dispose(): void {
    clearImmediate(this.#loadsSoon);
    this.#lifetime.dispose();
  }

  async #parts(): Promise<App['parts']> {
    return (await this.#app.get()).parts;
  }
}
