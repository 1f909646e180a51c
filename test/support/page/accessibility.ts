import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { Locator } from 'playwright-core';

/**
 * Looks at what is inside with axe-core, in the theme that the window has now: names, roles, contrast, order. `frameRule`
 * names one that VS Code's own page around our text does not keep.
 */
export async function assertAccessible(place: Locator, what: string, frameRule?: string): Promise<void> {
  const element = await place.elementHandle();
  const frame = await element.ownerFrame();
  assert.ok(frame, `${what} is there`);
  // Not as a script of the page, whose policy forbids it.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) {
    await frame.evaluate(axe.source);
  }
  const { violations } = await element.evaluate(async (node): Promise<Pick<AxeResults, 'violations'>> => {
    // A page lets what is behind it shine through, which axe-core cannot see.
    const behind = document.querySelector('[role="log"]') === null ? 'editor' : 'sideBar';
    document.documentElement.style.backgroundColor = `var(--vscode-${behind}-background)`;
    const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
    return inPage.run(node as Element, { resultTypes: ['violations'] });
  });
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => id !== frameRule && !isModelButton(id, html))
      .map(({ html, failureSummary }) => ({ id, help, html, failureSummary })),
  );
  assert.deepEqual(told, [], `axe-core finds nothing in ${what}`);
}

/**
 * The chat's model button is called “Model” whatever it shows, so that it is found under one name by people who listen and by
 * tests; its text is the name of the model that answers. axe-core wants the text in the name: of this one button alone, it need not be.
 */
function isModelButton(rule: string, html: string): boolean {
  return rule === 'label-content-name-mismatch' && /^<button\b[^>]*\saria-label="Model"/.test(html);
}

const looked = new Set<string>();

/** Both, once for all questions that are called alike but for names and numbers: they take their time. True for the first one. */
export async function assertAccessibleOnce(question: Locator, name: string): Promise<boolean> {
  const kind = name.replace(/“[^”]*”|\d+/g, '…');
  const isFirst = !looked.has(kind);
  if (isFirst) {
    looked.add(kind);
    await assertAccessible(question, name);
    await assertReachable(question, name);
  }
  return isFirst;
}

const maxSteps = 150;

/** Every answer can be reached with Tab alone, from the card on, the safe one before those that allow something. */
async function assertReachable(question: Locator, name: string): Promise<void> {
  const buttons = question.locator('.button-row button');
  const wanted = await buttons.allTextContents();
  const reached = await tabThrough(question, buttons, wanted.length);
  assert.deepEqual([...reached].sort(), [...wanted].sort(), `the answers to ${name} are reached by keyboard`);
  assert.match(reached[0] ?? '', /^(?:Deny|Decline|Cancel|New conversation|Verweigern)(?:Esc)?$/, `the safe answer to ${name} comes first`);
}

/** In the order of the keys. From the card on again when VS Code has given the focus to something else meanwhile. */
async function tabThrough(question: Locator, buttons: Locator, count: number): Promise<readonly string[]> {
  let reached: string[] = [];
  await question.focus();
  for (let step = 0; step < maxSteps && reached.length < count; step += 1) {
    await question.page().keyboard.press('Tab');
    const focused = await buttons.evaluateAll((all) => ({
      isHere: document.hasFocus(),
      text: all.find((each) => each === document.activeElement)?.textContent ?? '',
    }));
    if (!focused.isHere) {
      reached = [];
      await question.focus();
    } else if (focused.text !== '' && !reached.includes(focused.text)) {
      reached.push(focused.text);
    }
  }
  return reached;
}
