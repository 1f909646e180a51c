import type { Locator, Page } from 'playwright-core';
import { chooseInMenu } from './menus.ts';

const attemptMilliseconds = 3_000;
const attempts = 10;
const choiceMilliseconds = 1_500;
const lookMilliseconds = 100;
/** Longer than a busy machine takes to show what a press has led to. */
const effectMilliseconds = 10_000;

/** The side bar's view containers and the trees inside them. */
export class Views {
  constructor(private readonly page: Page) {}

  async open(name: string): Promise<void> {
    const entry = this.page.locator('.activitybar').getByRole('tab', { name });
    await entry.waitFor({ timeout: 60_000 }); // extensions of a new window take their time on a busy machine
    const title = this.page.locator('.part.sidebar .composite.title', { hasText: name });
    // A window that starts may open the container by itself between the look and the click, which then closes it again.
    for (let attempt = 1; attempt < attempts && !(await title.isVisible()); attempt += 1) {
      if ((await entry.getAttribute('aria-selected')) !== 'true') {
        await entry.click();
      }
      await title.waitFor({ timeout: attemptMilliseconds }).catch(() => undefined);
    }
    await title.waitFor();
    if (name === 'Duplex') {
      await this.unfold('MCP Servers');
    }
  }

  /** A view that leaves the room to another one until somebody wants it. */
  async unfold(view: string): Promise<void> {
    await clickUntil(this.header(view), 'true', view);
  }

  async fold(view: string): Promise<void> {
    await clickUntil(this.header(view), 'false', view);
  }

  /** Shows what is below a row of a tree. */
  async expand(row: Locator): Promise<void> {
    await clickUntil(row, 'true', 'a row');
  }

  async isUnfolded(view: string): Promise<boolean> {
    await this.header(view).waitFor();
    return (await this.header(view).getAttribute('aria-expanded')) === 'true';
  }

  /** The number on a container's icon. */
  badge(name: string): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name }).locator('.badge-content');
  }

  /** The rows of a tree view in the open container. */
  rows(view: string): Locator {
    return this.page
      .locator('.part.sidebar .pane')
      .filter({ has: this.header(view) })
      .locator('.monaco-list-row');
  }

  /**
   * Presses a button of a row. VS Code forgets whose button it was when the tree is drawn anew at that moment, as while a window
   * starts; then Duplex asks which server or client is meant, or nothing happens at all, and it is pressed again.
   */
  async press(row: Locator, button: RegExp): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const before = { text: await textOf(row), questions: await this.questions.count() };
      const isPressed = await pressOnce(row, button, attempt === attempts);
      const effect = isPressed ? await this.effectOf(row, before) : 'which';
      // Not every button can be seen to have done its work, but Start can.
      if (effect === 'done' || (effect === 'nothing' && !button.test('Start Server'))) {
        return;
      }
    }
    throw new Error(`A row does not say whose it is when ${String(button)} is pressed.`);
  }

  /** Chooses from the menu of a row, which is opened again when it closes because the tree is drawn anew. */
  async chooseInMenu(row: Locator, entry: string): Promise<void> {
    await chooseInMenu(row, entry);
    if (await isShown(this.which, choiceMilliseconds)) {
      await this.page.keyboard.press('Escape');
      await this.chooseInMenu(row, entry);
    }
  }

  private get which(): Locator {
    return this.page.getByPlaceholder(/^Choose (?:a server|the client)/);
  }

  /** The panel with questions: one that was there before may have got another. */
  private get questions(): Locator {
    return this.page.getByRole('tab', { name: /^Permission/ });
  }

  /**
   * It is known when the press had its effect, which takes its time on a busy machine: a new question, or a row that says otherwise.
   * A row may also say so because the tree was drawn anew: then it is waited whether Duplex asks which one is meant. That a server
   * needs permission is no effect: a window that starts finds it out by itself, and loses the press at that moment.
   */
  private async effectOf(row: Locator, before: RowBefore): Promise<'which' | 'done' | 'nothing'> {
    const choiceAt = Date.now() + choiceMilliseconds;
    while (Date.now() < choiceAt + effectMilliseconds) {
      if (await isShown(this.which, lookMilliseconds)) {
        await this.page.keyboard.press('Escape');
        return 'which';
      }
      const questions = await this.questions.count();
      const text = await textOf(row);
      const isOther = text !== before.text && !text.includes('needs permission');
      if (questions > before.questions || (Date.now() > choiceAt && (questions > 0 || isOther))) {
        return 'done';
      }
    }
    return 'nothing';
  }

  header(view: string): Locator {
    return this.page.locator('.pane-header').filter({ hasText: view });
  }
}

/** A row before it is pressed, and how many panels with questions there were. */
interface RowBefore {
  readonly text: string;
  readonly questions: number;
}

/** At once: a row that is gone has none. */
async function textOf(row: Locator): Promise<string> {
  return (await row.allInnerTexts()).join();
}

async function isShown(what: Locator, milliseconds: number): Promise<boolean> {
  return what.waitFor({ timeout: milliseconds }).then(
    () => true,
    () => false,
  );
}

/** A row that moves away under the pointer hides its buttons: it is pointed at anew. */
async function pressOnce(row: Locator, button: RegExp, isLast: boolean): Promise<boolean> {
  try {
    await row.hover({ timeout: attemptMilliseconds });
    await row.getByRole('button', { name: button }).click({ timeout: attemptMilliseconds });
    return true;
  } catch (error) {
    if (isLast) {
      throw error;
    }
    return false;
  }
}

/** What is drawn anew at that moment loses the click, and another click too many would undo it: so it looks each time. */
async function clickUntil(what: Locator, expanded: 'true' | 'false', name: string): Promise<void> {
  const wanted = what.and(what.page().locator(`[aria-expanded="${expanded}"]`));
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await what.waitFor();
    if ((await what.getAttribute('aria-expanded')) !== expanded) {
      await what.click();
    }
    if (await isShown(wanted, attemptMilliseconds)) {
      return;
    }
  }
  throw new Error(`A click does not ${expanded === 'true' ? 'unfold' : 'fold'} ${name}.`);
}
