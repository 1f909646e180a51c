import type { Locator } from 'playwright-core';
import { answerOf, pressUntilAnswered } from './questions.ts';

const armingMilliseconds = 10_000;
const maxSteps = 150;

/** With Tab, Space, Enter and arrow keys alone: reads what is still to be seen on the way, and presses the button or picks it from “More”. */
export async function answerByKeyboard(question: Locator, button: string): Promise<void> {
  const { keyboard } = question.page();
  await question.focus();
  for (let step = 0; step < maxSteps; step += 1) {
    await keyboard.press('Tab');
    await focusAgain(question);
    const focused = await focusedText(question);
    if (focused === 'More' && (await answerOf(question, button).count()) === 0) {
      await openMenuAt(question, button);
    }
    if ((await focusedText(question)) === button) {
      await pressUntilAnswered(question, button, async () => {
        await answerOf(question, button).and(question.locator('[aria-disabled="false"]')).waitFor({ timeout: armingMilliseconds });
        await keyboard.press('Enter');
      });
      return;
    }
    // Each press shows the next page, until nothing is left.
    for (let page = 0; page < maxSteps && /to see/.test(await focusedText(question)); page += 1) {
      await keyboard.press('Enter');
    }
  }
  throw new Error(`The Tab key does not lead to “${button}”.`);
}

/** Opens the menu, and goes down to the answer if it has it; else it closes the menu. */
async function openMenuAt(question: Locator, button: string): Promise<void> {
  const { keyboard } = question.page();
  await keyboard.press('Enter');
  const items = await question.getByRole('menuitem').allTextContents();
  for (let at = 0; at < items.indexOf(button); at += 1) {
    await keyboard.press('ArrowDown');
  }
  if (!items.includes(button)) {
    await keyboard.press('Escape');
  }
}

/** What is on the button that has the focus, without its key. */
async function focusedText(question: Locator): Promise<string> {
  return question.evaluate((card) => {
    const { activeElement } = card.ownerDocument;
    if (!(activeElement instanceof HTMLButtonElement && card.contains(activeElement))) {
      return '';
    }
    const key = activeElement.querySelector('[aria-hidden]')?.textContent ?? '';
    return activeElement.textContent.slice(0, activeElement.textContent.length - key.length).trim();
  });
}

/** VS Code gives the focus to something else now and then, as to what had it before the question came: then from the card on again. */
async function focusAgain(question: Locator): Promise<void> {
  if (!(await question.evaluate((card) => card.ownerDocument.hasFocus()))) {
    await question.focus();
  }
}
