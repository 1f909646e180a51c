import type { Locator, Page } from 'playwright-core';

/** The modal questions that VS Code asks in its own window. */
export class Dialogs {
  readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box');
  }

  async waitFor(text: string | RegExp): Promise<Locator> {
    const dialog = this.box.filter({ hasText: text });
    await dialog.waitFor();
    return dialog;
  }

  async answer(text: string | RegExp, button: string | RegExp): Promise<void> {
    const dialog = await this.waitFor(text);
    await dialog.getByRole('button', { name: button }).click();
    await dialog.waitFor({ state: 'detached' });
  }
}
