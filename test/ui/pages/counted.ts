import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { moreToRead } from './questions.ts';

const takenMilliseconds = 3_000;
const readMilliseconds = 5_000;

/** Somebody who does no more than they must, and how much that is. */
export class Counted {
  readonly count = { questions: 0, clicks: 0, scrolls: 0 };

  /** Answers a question: scrolls only while it says that there is more to see, and presses once the answer counts. */
  async answer(question: Locator, name: string): Promise<void> {
    await question.waitFor();
    this.count.questions += 1;
    const armed = question.getByRole('button', { name, exact: true, disabled: false });
    // Nobody scrolls in the moment in which the card is still being drawn.
    while (!(await isThere(armed))) {
      this.count.scrolls += 1;
      await moreToRead(question).click({ timeout: readMilliseconds });
    }
    assert.equal(await armed.evaluate(isInView), true, `“${name}” is in view`);
    await this.press(armed, question);
  }

  /** Presses a button until what it is about is over. */
  async press(button: Locator, over: Locator): Promise<void> {
    do {
      await button.click();
      this.count.clicks += 1;
    } while (!(await isOver(over)));
  }
}

function isThere(thing: Locator): Promise<boolean> {
  return settles(thing.waitFor({ timeout: readMilliseconds }));
}

function isOver(thing: Locator): Promise<boolean> {
  return settles(thing.waitFor({ state: 'detached', timeout: takenMilliseconds }));
}

function settles(waiting: Promise<void>): Promise<boolean> {
  return waiting.then(
    () => true,
    () => false,
  );
}

/** Whether an element can be pressed where it is, without scrolling. It runs in the page. */
function isInView(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
