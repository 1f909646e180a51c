import type { Frame, Locator, Page } from 'playwright-core';
import { CommandPalette } from './commandPalette.ts';
import { permissionQuestion } from './consentPanel.ts';
import { allow } from './questions.ts';
import { ToolRunner } from './toolRunner.ts';
import { Views } from './views.ts';
import { webviewByTitle } from './webviews.ts';

/** What a person does with servers in one of several windows. */
export class DuplexWindow {
  readonly page: Page;
  readonly #palette: CommandPalette;
  readonly #views: Views;

  constructor(page: Page) {
    this.page = page;
    this.#palette = new CommandPalette(page);
    this.#views = new Views(page);
  }

  async open(): Promise<void> {
    await this.page.bringToFront();
    await this.#views.open('Duplex');
    await this.row('demo').waitFor();
    await this.row(/editor.*tools/).waitFor(); // a row that is drawn anew loses what is pressed on it
  }

  row(text: string | RegExp): Locator {
    return this.#views.rows('MCP Servers').filter({ hasText: text }).first();
  }

  async pressStart(server: string): Promise<void> {
    await this.page.bringToFront();
    await this.#views.press(this.row(server), /Start Server/);
  }

  async untilRunning(server: string): Promise<void> {
    await this.row(new RegExp(`${server}.*tools`)).waitFor();
  }

  async untilRevoked(server: string): Promise<void> {
    await this.row(new RegExp(`${server}.*needs permission`)).waitFor();
  }

  /** A page of its own that a command opens. */
  async openPage(command: string, title: string): Promise<Frame> {
    await this.page.bringToFront();
    await this.#palette.run(command);
    return webviewByTitle(this.page, title);
  }

  async allow(name: RegExp, button: string): Promise<void> {
    await allow(await permissionQuestion(this, name), button);
  }

  /** Runs a tool from the command palette, where Run is the permission, and waits for its result. */
  async runTool(tool: { readonly title: string; readonly name: string }, args: object, result: RegExp): Promise<void> {
    await this.page.bringToFront();
    const runner = await ToolRunner.open(this.page, { label: tool.title, name: tool.name });
    await runner.run(args);
    await runner.untilResult(result);
  }

  /** The tabs of the editor area, the panel with questions among them. */
  tab(name: string): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: name });
  }
}
