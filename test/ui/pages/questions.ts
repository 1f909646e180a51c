import { setTimeout } from 'node:timers/promises';
import type { JSHandle, Locator, Page } from 'playwright-core';
import { assertAccessibleOnce } from '../../support/page/accessibility.ts';

const readingMilliseconds = 30_000;
const takenMilliseconds = 2_000;
const maxPresses = 5;
/** A moment longer than anything has to stand still before it counts. */
const stillMilliseconds = 550;

/** Waits until what has just come, moved or got the focus counts. */
export async function aMoment(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction(([from, wait]) => performance.now() - from > wait, [since, stillMilliseconds] as const);
}

/** What says how much of a question has not been in view yet; pressed, it shows the next page. */
export function moreToRead(question: Locator): Locator {
  return question.getByRole('button', { name: /to see first|still to see|^Zuerst noch|noch Zeilen anzusehen/ });
}

/** An answer, whether it is a button or, while the menu is open, an item of “More”. */
export function answerOf(question: Locator, name: string): Locator {
  return question.getByRole('button', { name, exact: true }).or(question.getByRole('menuitem', { name, exact: true }));
}

/** The names of the buttons of a question. The key that is written on one is no part of its name. */
export async function buttonNames(buttons: Locator): Promise<readonly string[]> {
  return buttons.evaluateAll((all) =>
    all.map((each) => {
      const copy = each.cloneNode(true) as Element;
      copy.querySelectorAll('[aria-hidden="true"]').forEach((hidden) => hidden.remove());
      return copy.textContent.trim();
    }),
  );
}

/** The names of the answers that reach further, as the menu “More” lists them. */
export async function furtherAnswers(question: Locator): Promise<readonly string[]> {
  await question.getByRole('button', { name: 'More', exact: true }).click();
  const names = await question.getByRole('menuitem').allTextContents();
  await question.page().keyboard.press('Escape');
  await question.getByRole('menu').waitFor({ state: 'detached' });
  return names;
}

/** Opens the menu “More” if the answer is in there. */
async function bringOut(question: Locator, name: string): Promise<void> {
  const more = question.getByRole('button', { name: 'More', exact: true, expanded: false });
  await answerOf(question, name).or(more).first().waitFor();
  if ((await answerOf(question, name).count()) === 0 && (await more.count()) > 0) {
    await more.click();
  }
}

/** Reads a question to its end, as a person must before a yes is armed, and presses the button, or picks it from the menu “More”. */
export async function allow(question: Locator, button: string): Promise<void> {
  await untilArmed(question, button);
  const wanted = answerOf(question, button);
  const isFirst = await assertAccessibleOnce(question, (await question.getAttribute('aria-label')) ?? '');
  // The first of its kind by keyboard, the others with the mouse.
  await pressUntilAnswered(question, button, async () => {
    await untilArmed(question, button);
    if (!isFirst) {
      // A pointer that comes from outside of the page is not armed at once.
      await wanted.hover();
      await untilArmed(question, button);
    }
    await (isFirst ? wanted.press('Enter') : wanted.click());
  });
}

/** A yes that is disarmed meanwhile, as when something scrolls, is nobody's answer: like a person, it presses again once it is armed. */
export async function pressUntilAnswered(question: Locator, button: string, press: () => Promise<void>): Promise<void> {
  const pressed = await answerOf(question, button).elementHandle();
  // What it was looked for in may be more than the question, and stay.
  const card = await pressed.evaluateHandle((node) => (node as Element).closest('[data-question]') ?? node);
  for (let presses = 0; presses < maxPresses; presses += 1) {
    await press();
    if (await isTaken(card)) {
      return;
    }
  }
  throw new Error(`${maxPresses} presses did not answer the question; it says: ${await question.innerText()}`);
}

/** With its card, or with the page that it was in. */
async function isTaken(card: JSHandle<Node>): Promise<boolean> {
  const deadline = Date.now() + takenMilliseconds;
  while (Date.now() < deadline) {
    const isAnswered = await card
      .evaluate((node) => !node.isConnected || (node as HTMLElement).dataset['answered'] === 'yes')
      .catch(() => true);
    if (isAnswered) {
      return true;
    }
    await setTimeout(20);
  }
  return false;
}

/** Reads on until the answer counts, which may be an item of the menu “More”. */
export async function untilArmed(question: Locator, button: string): Promise<void> {
  const wanted = answerOf(question, button);
  await bringOut(question, button);
  await wanted.waitFor();
  const deadline = Date.now() + readingMilliseconds;
  while ((await wanted.getAttribute('aria-disabled', { timeout: 1_000 }).catch(() => 'gone')) !== 'false') {
    if (Date.now() > deadline) {
      throw new Error(`“${button}” is not armed; the question says: ${await question.innerText()}`);
    }
    if (await moreToRead(question).isVisible()) {
      await moreToRead(question)
        .click({ timeout: 2_000 })
        .catch(() => undefined); // it is gone once all was seen
    } else {
      await bringOut(question, button); // reading on has closed the menu
      await wanted.scrollIntoViewIfNeeded();
    }
    await question.page().waitForTimeout(50);
  }
}
