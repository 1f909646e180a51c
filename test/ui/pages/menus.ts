import type { Locator, Page } from 'playwright-core';

const attempts = 8;
const openMilliseconds = 4_000;
const closedMilliseconds = 1_000;

/** The entries of the menu that is open. */
export function menuEntries(page: Page): Locator {
  return page.locator('.monaco-menu-container').getByRole('menuitem');
}

/** Opens the menu of something, and waits for this entry: once more when the menu closes before. */
export async function openMenu(from: Locator, entry: string | RegExp): Promise<Locator> {
  const wanted = menuEntries(from.page()).filter({ hasText: entry });
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    try {
      await from.click({ button: 'right', timeout: openMilliseconds });
      await wanted.waitFor({ timeout: openMilliseconds });
      return wanted;
    } catch {
      await closeMenu(from.page());
    }
  }
  await from.click({ button: 'right' });
  await wanted.waitFor();
  return wanted;
}

/** Chooses from the menu of something. A menu that has just opened takes no click yet: it is pressed until it is gone. */
export async function chooseInMenu(from: Locator, entry: string): Promise<void> {
  const wanted = await openMenu(from, entry);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const isPressed = await wanted.click({ timeout: openMilliseconds }).then(
      () => true,
      () => false,
    );
    await wanted.waitFor({ state: 'hidden', timeout: closedMilliseconds }).catch(() => undefined);
    if (!(await wanted.isVisible())) {
      // What closed without a click has chosen nothing.
      return isPressed ? undefined : chooseInMenu(from, entry);
    }
  }
  throw new Error(`The menu does not take ${entry}.`);
}

/** Only where there is one: elsewhere Escape may mean more. */
export async function closeMenu(page: Page): Promise<void> {
  if ((await menuEntries(page).count()) > 0) {
    await page.keyboard.press('Escape');
    await menuEntries(page)
      .first()
      .waitFor({ state: 'detached', timeout: openMilliseconds })
      .catch(() => undefined);
  }
}
