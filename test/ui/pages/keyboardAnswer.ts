import type { Locator } from 'playwright-core';
import { pressUntilAnswered } from './questions.ts';

const armingMilliseconds = 10_000;
const maxSteps = 150;

/** With Tab, Space and Enter alone: reads what is still to be seen on the way, and presses the button. */
export async function answerByKeyboard(question: Locator, button: string): Promise<void> {
  const { keyboard } = question.page();
  await question.focus();
  for (let step = 0; step < maxSteps; step += 1) {
    await keyboard.press('Tab');
    await focusAgain(question);
    const focused = await focusedText(question);
    if (focused === button) {
      await pressUntilAnswered(question, button, async () => {
        await question.getByRole('button', { name: button, exact: true, disabled: false }).waitFor({ timeout: armingMilliseconds });
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

async function focusedText(question: Locator): Promise<string> {
  return question.evaluate((card) => {
    const { activeElement } = card.ownerDocument;
    return activeElement instanceof HTMLButtonElement && card.contains(activeElement) ? activeElement.textContent.trim() : '';
  });
}

/** VS Code gives the focus to something else now and then, as to what had it before the question came: then from the card on again. */
async function focusAgain(question: Locator): Promise<void> {
  if (!(await question.evaluate((card) => card.ownerDocument.hasFocus()))) {
    await question.focus();
  }
}
