import { setTimeout } from 'node:timers/promises';
import type { JSHandle, Locator } from 'playwright-core';
import { assertAccessibleOnce } from '../../support/page/accessibility.ts';

const readingMilliseconds = 30_000;
const takenMilliseconds = 2_000;
const maxPresses = 5;

/** What says how much of a question has not been in view yet; pressed, it shows the next page. */
export function moreToRead(question: Locator): Locator {
  return question.getByRole('button', { name: /to see first|still to see/ });
}

/** Reads a question to its end, as a person must before a yes is armed, and presses the button. */
export async function allow(question: Locator, button: string): Promise<void> {
  await untilArmed(question, button);
  const wanted = question.getByRole('button', { name: button, exact: true });
  const isFirst = await assertAccessibleOnce(question, (await question.getAttribute('aria-label')) ?? '');
  // The first of its kind by keyboard, the others with the mouse.
  await pressUntilAnswered(question, button, async () => {
    await untilArmed(question, button);
    await (isFirst ? wanted.press('Enter') : wanted.click());
  });
}

/** A yes that is disarmed meanwhile, as when something scrolls, is nobody's answer: like a person, it presses again once it is armed. */
export async function pressUntilAnswered(question: Locator, button: string, press: () => Promise<void>): Promise<void> {
  const pressed = await question.getByRole('button', { name: button, exact: true }).elementHandle();
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

export async function untilArmed(question: Locator, button: string): Promise<void> {
  const wanted = question.getByRole('button', { name: button, exact: true });
  await wanted.waitFor();
  const deadline = Date.now() + readingMilliseconds;
  while ((await wanted.getAttribute('aria-disabled')) !== 'false') {
    if (Date.now() > deadline) {
      throw new Error(`“${button}” is not armed; the question says: ${await question.innerText()}`);
    }
    if (await moreToRead(question).isVisible()) {
      await moreToRead(question)
        .click({ timeout: 2_000 })
        .catch(() => undefined); // it is gone once all was seen
    } else {
      await wanted.scrollIntoViewIfNeeded();
    }
    await question.page().waitForTimeout(50);
  }
}
