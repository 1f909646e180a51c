import type { Disposable } from '../../base/lifecycle.ts';
import type { AppEnding, AppLook } from '../../contract/chat/appMessages.ts';
import type { DisplayMode } from '../../contract/chat/appShowing.ts';
import type { AllowedApp, AppTab, AppTabs, ShownApp } from './appPort.ts';

export interface TabShowingOptions {
  readonly app: AllowedApp;
  readonly tabs: AppTabs;
  readonly server: string;
  readonly tool: string;
  readonly mode: DisplayMode;
  readonly isPressed: boolean;
  readonly hasBack: boolean;
  readonly change?: (() => void) | undefined;
  readonly onBack?: () => void;
  /** The person closed the tab. */
  readonly onClosed: () => void;
  /** The app asked to be closed. */
  readonly onClose: () => void;
  readonly onBroke: (reason: AppEnding) => void;
}

/** One showing of an app in a tab of the editor. */
export class TabShowing implements Disposable {
  readonly #options: TabShowingOptions;
  #tab: AppTab | undefined;
  #shown: ShownApp | undefined;
  #isOver = false;

  constructor(options: TabShowingOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { app, tabs, server, tool, isPressed, hasBack, onBack, onClosed, onBroke } = this.#options;
    const tab = await tabs.openTab({
      ...{ server, tool, isPressed, hasBack, html: app.html, policy: app.policy },
      mounted: (look) => this.#begin(look),
      look: (look) => this.#shown?.setLook(look),
      said: (text) => this.#shown?.receive(text),
      broke: (reason) => this.#unlessOver(() => onBroke(reason)),
      back: () => this.#unlessOver(() => onBack?.()),
      closed: () => this.#unlessOver(onClosed),
    });
    if (this.#isOver) {
      tab.dispose();
    }
    this.#tab = tab;
  }

  /** Lets the app tidy up, and closes the tab. */
  async end(): Promise<void> {
    await this.#shown?.end();
    this.dispose();
  }

  dispose(): void {
    this.#isOver = true;
    this.#shown?.dispose();
    this.#tab?.dispose();
  }

  /** The page of the tab is there, perhaps for a second time: the app begins anew in it. */
  #begin(look: AppLook): void {
    const { app, mode, change, onClose } = this.#options;
    this.#shown?.dispose();
    this.#shown = this.#isOver
      ? undefined
      : app.begin(look, { mode, change, send: (text) => this.#tab?.say(text), resize: () => undefined, close: onClose });
  }

  #unlessOver(act: () => void): void {
    if (!this.#isOver) {
      act();
    }
  }
}
