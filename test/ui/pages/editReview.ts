import type { Locator } from 'playwright-core';
import type { Workbench } from '../harness/workbench.ts';

/** The diff in which a person answers what a client wants to change. */
export class EditReview {
  readonly accept: Locator;
  readonly reject: Locator;
  /** The proposed text, on the right. */
  readonly proposed: Locator;
  /** Beside the first change: who wants it and why, and the buttons once more. */
  readonly thread: Locator;
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    const { page } = workbench;
    this.#workbench = workbench;
    this.accept = this.button('Accept');
    this.reject = this.button('Reject');
    this.thread = page.locator('.monaco-diff-editor .editor.modified .review-widget').filter({ visible: true }).first();
    this.proposed = page.locator('.monaco-diff-editor .editor.modified .view-lines').first();
  }

  /** In the editor's title. */
  button(name: string): Locator {
    return this.#workbench.page.locator('.editor-actions').getByRole('button', { name, exact: true });
  }

  /** On the thread. */
  threadButton(name: string): Locator {
    return this.thread.getByRole('button', { name, exact: true });
  }

  tab(name: string | RegExp): Locator {
    return this.#workbench.page.locator('.tabs-container .tab').filter({ hasText: name });
  }

  async waitFor(tabName: string | RegExp): Promise<void> {
    await this.tab(tabName).first().waitFor();
    await this.accept.waitFor();
    await this.proposed.waitFor();
  }

  /** Each press leads to the next file that was not seen yet; with the last one in front it counts. */
  async acceptAll(button: Locator, files: number): Promise<void> {
    for (let place = 1; place <= files; place += 1) {
      const inFront = this.#workbench.page.locator('.tabs-container .tab.active').filter({ hasText: `${place} of ${files}` });
      await inFront.waitFor();
      await button.click();
    }
  }

  /** VS Code's own arrow beside the first changed block. */
  async takeFirstBlockBack(): Promise<void> {
    const line = this.#workbench.page.locator('.monaco-diff-editor .editor.modified .line-insert').first();
    await line.hover({ force: true });
    const arrow = this.#workbench.page.locator('.monaco-diff-editor').locator('.arrow-revert-change, .gutterItem .action-label').first();
    await arrow.click({ force: true });
  }

  async giveReason(reason: string): Promise<void> {
    const { palette } = this.#workbench;
    await palette.widget.getByText('Reason', { exact: true }).waitFor();
    await palette.answer(reason);
  }
}
