import type { Locator } from 'playwright-core';
import type { Workbench } from '../harness/workbench.ts';
import { eventually } from './discovery.ts';

const pressMilliseconds = 5_000;

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
    // In front: the buttons are those of the tab that is.
    await this.tab(tabName).and(this.#workbench.page.locator('.active')).first().waitFor();
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
    const { page } = this.#workbench;
    const inserted = page.locator('.monaco-diff-editor .editor.modified .line-insert');
    const arrow = page.locator('.monaco-diff-editor').locator('.arrow-revert-change, .gutterItem .action-label').first();
    await inserted.first().waitFor();
    const before = await this.proposed.innerText();
    // While the diff is laid out the arrow moves away from under the pointer: what that press did not reach is pressed again.
    await eventually('the first block to be taken back', async () => {
      await inserted
        .first()
        .hover({ force: true, timeout: pressMilliseconds })
        .catch(() => undefined);
      await arrow.click({ force: true, timeout: pressMilliseconds }).catch(() => undefined);
      const isOther = async (): Promise<true | undefined> => ((await this.proposed.innerText()) === before ? undefined : true);
      return eventually('another text', isOther, pressMilliseconds).catch(() => undefined);
    });
  }

  async giveReason(reason: string): Promise<void> {
    const { palette } = this.#workbench;
    await palette.widget.getByLabel('Reason', { exact: true }).waitFor();
    await palette.answer(reason);
  }
}
