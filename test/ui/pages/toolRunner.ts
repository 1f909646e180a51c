import type { Frame, Locator, Page } from 'playwright-core';
import { CommandPalette } from './commandPalette.ts';
import { webviewByTitle } from './webviews.ts';

/** The tab of Run Tool for one tool. */
export class ToolRunner {
  readonly frame: Frame;
  readonly form: Locator;
  readonly result: Locator;

  private constructor(frame: Frame) {
    this.frame = frame;
    this.form = frame.getByRole('form', { name: /^Run / });
    this.result = frame.getByRole('region', { name: 'Result' });
  }

  /** Chooses the tool in the command palette, as a person does. */
  static async open(page: Page, tool: { readonly label?: string; readonly name: string }): Promise<ToolRunner> {
    await ToolRunner.choose(page, tool.label ?? tool.name);
    return ToolRunner.of(page, tool.name);
  }

  /** Only the choice: what follows may be a question. */
  static async choose(page: Page, label: string): Promise<void> {
    await new CommandPalette(page).choose('Duplex: Run Tool…', label);
  }

  static async of(page: Page, name: string): Promise<ToolRunner> {
    return new ToolRunner(await webviewByTitle(page, `Run ${name}`));
  }

  /** Types the arguments as JSON, and runs. */
  async run(args: object): Promise<void> {
    await this.form.getByRole('tab', { name: 'JSON' }).click();
    await this.form.getByRole('textbox', { name: 'Arguments as JSON' }).fill(JSON.stringify(args));
    await this.pressRun();
  }

  /** Run is the consent for what is shown, so it is armed only below all of it. */
  async pressRun(): Promise<void> {
    await this.button('Run').scrollIntoViewIfNeeded();
    await this.untilArmed();
    await this.button('Run').click();
  }

  async untilArmed(): Promise<void> {
    await this.button('Run').and(this.frame.locator('[aria-disabled="false"]')).waitFor();
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** Also in a tab that another one covers. */
  async untilResult(text: string | RegExp): Promise<void> {
    await this.result.getByText(text).first().waitFor({ state: 'attached' });
  }
}
