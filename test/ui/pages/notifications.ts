import type { Locator, Page } from 'playwright-core';

export class Notifications {
  readonly toasts: Locator;

  constructor(page: Page) {
    this.toasts = page.locator('.notifications-toasts .notification-list-item');
  }

  /** The toast with this text, once it is shown. */
  async waitFor(text: string | RegExp): Promise<Locator> {
    const toast = this.toasts.filter({ hasText: text }).first();
    await toast.waitFor();
    return toast;
  }

  async choose(text: string | RegExp, button: string): Promise<void> {
    const toast = await this.waitFor(text);
    await toast.getByRole('button', { name: button, exact: true }).click();
  }
}
