import type { Locator } from 'playwright-core';
import { assertAccessibleOnce } from '../harness/accessibility.ts';

const readingMilliseconds = 30_000;

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
  await (isFirst ? wanted.press('Enter') : wanted.click());
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
