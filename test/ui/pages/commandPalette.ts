import type { Locator, Page } from 'playwright-core';
import { eventually } from './discovery.ts';

const attemptMilliseconds = 3_000;
/** What an extension offers takes it a moment to gather. */
const offerMilliseconds = 6_000;
const acceptMilliseconds = 1_000;
/**
 * A click may have run the command long before a busy machine says so. Whoever gave it up too early would run the command a second
 * time, and wait for the palette behind the question that the first time has opened.
 */
const runMilliseconds = 15_000;

/** An entry to choose, or a look at what is offered. */
export type ChoiceStep = string | RegExp | (() => Promise<void>);

/** The command palette, and every quick pick and input box, which share its widget. */
export class CommandPalette {
  readonly widget: Locator;
  readonly input: Locator;
  readonly rows: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget');
    this.input = this.widget.locator('.quick-input-box input');
    this.rows = this.widget.locator('.quick-input-list .monaco-list-row');
  }

  /** Runs a command by its title with category, as in "Duplex: Show Log"; waits until an extension has brought it. */
  async run(title: string): Promise<void> {
    await retry(() => this.runOnce(title));
  }

  /** Opens the palette and shows a command in it. */
  async lookFor(title: string): Promise<void> {
    await retry(async () => {
      await this.show(title);
    });
  }

  /** Runs a command that offers something, and chooses from it: once more from the beginning if the offer is closed meanwhile. */
  async choose(title: string, label: string): Promise<void> {
    await retry(async () => {
      await this.runOnce(title);
      await this.input.fill(label, { timeout: offerMilliseconds });
      await this.rows.filter({ hasText: label }).first().click({ timeout: offerMilliseconds });
    });
  }

  /** Chooses an entry of the quick pick that is open. */
  async pick(label: string | RegExp, timeout = 30_000): Promise<void> {
    const row = this.rows.filter({ hasText: label }).first();
    await row.click({ timeout });
    // What follows may be the next one, in the same widget: what is typed too early goes into this one.
    await row.waitFor({ state: 'hidden', timeout: attemptMilliseconds }).catch(() => undefined);
  }

  /**
   * Goes through the quick picks that a command opens, one entry of each, with a look between where a step is one. From the start
   * again when something has closed one: VS Code gives the focus back to a page a moment after the palette is gone, and a quick pick
   * that opened meanwhile closes by it. So the command must do nothing before the last choice.
   */
  async chooseAfter(title: string, ...steps: readonly ChoiceStep[]): Promise<void> {
    await retry(async () => {
      await this.run(title);
      await this.goThrough(steps);
    });
  }

  /** The same for quick picks that a button opens, or whatever else it is that is pressed: it is pressed again. */
  async chooseFrom(press: () => Promise<void>, ...steps: readonly ChoiceStep[]): Promise<void> {
    await retry(async () => {
      await this.close();
      await press();
      await this.goThrough(steps);
    });
  }

  /** The entry, once the quick pick that is open offers it. */
  async offered(label: string | RegExp): Promise<Locator> {
    const row = this.rows.filter({ hasText: label }).first();
    await row.waitFor({ timeout: offerMilliseconds });
    return row;
  }

  /** Answers the input box that is open. */
  async answer(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Adds a server from a text that a person has in hand; what follows is the question whether it may start. */
  async addServer(text: string, place: 'User settings' | 'Workspace settings'): Promise<void> {
    const paste = async (): Promise<void> => {
      await this.widget.getByText('Paste what you have').waitFor({ timeout: offerMilliseconds });
      await this.answer(text);
    };
    await this.chooseAfter('Duplex: Add Server…', paste, place);
  }

  /** Takes the place that VS Code's own dialog for files proposes, once it does. */
  async acceptFile(name: string): Promise<void> {
    await this.input.waitFor();
    await eventually(`the file ${name} to be taken`, async () => {
      // The dialog hears no Enter while it still looks the place up.
      if (await this.proposes(name)) {
        await this.input.press('Enter', { timeout: attemptMilliseconds }).catch(() => undefined);
      }
      await this.widget.waitFor({ state: 'hidden', timeout: acceptMilliseconds }).catch(() => undefined);
      return (await this.widget.isVisible()) ? undefined : true;
    });
  }

  private async proposes(name: string): Promise<boolean> {
    const value = await this.input.inputValue({ timeout: attemptMilliseconds }).catch(() => '');
    return value.endsWith(`/${name}`);
  }

  private async goThrough(steps: readonly ChoiceStep[]): Promise<void> {
    for (const step of steps) {
      await (typeof step === 'function' ? step() : this.pick(step, offerMilliseconds));
    }
  }

  /** Only where there is something to close: elsewhere Escape may mean more, as in the chat, where it stops an answer. */
  private async close(): Promise<void> {
    if (await this.widget.isVisible()) {
      await this.input.press('Escape', { timeout: attemptMilliseconds }).catch(() => undefined); // it has closed meanwhile
    }
  }

  private async runOnce(title: string): Promise<void> {
    const row = await this.show(title);
    await row.click({ timeout: runMilliseconds });
  }

  private async show(title: string): Promise<Locator> {
    const row = this.rowNamed(title);
    await this.close();
    await this.page.keyboard.press('F1');
    // What takes the focus meanwhile closes the palette.
    await this.input.fill(`>${title}`, { timeout: attemptMilliseconds });
    await row.waitFor({ timeout: attemptMilliseconds });
    return row;
  }

  private rowNamed(title: string): Locator {
    const exactLabel = new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    return this.rows.filter({ has: this.page.locator('.label-name', { hasText: exactLabel }) }).first();
  }
}

/** A window that is still starting closes the palette again and does not know every command yet. */
async function retry(action: () => Promise<void>): Promise<void> {
  const attempts = 8;
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    try {
      await action();
      return;
    } catch {
      // the last attempt reports its error
    }
  }
  await action();
}
