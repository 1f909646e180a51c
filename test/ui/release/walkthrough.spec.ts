import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';

const title = 'First minute with Duplex';

describe('Somebody who begins the walkthrough', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({ version: 'ceiling', workspace: 'plain', viewport: { width: 1400, height: 900 } });
  const step = (id: string): Locator => workbench().page.locator(`[data-step-id$="#${id}"]`);
  const check = (id: string): Locator => workbench().page.locator(`[data-done-step-id$="#${id}"]`).first();
  const button = (name: string): Locator =>
    workbench().page.locator('.gettingStartedContainer .button-container').getByRole('button', { name });
  const tab = (): Locator => workbench().page.getByRole('tab', { name: /^(?:Walkthrough|Welcome)/ });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `walkthrough-${name}.png`));

  /** Opens a step, as it is before it is done, and sees its picture. */
  async function openStep(id: string): Promise<void> {
    await tab().click();
    if ((await step(id).getAttribute('aria-expanded')) !== 'true') {
      await step(id).click();
    }
    const shown = workbench().page.locator(`.getting-started-media img[srcset*="${id}-light"]`);
    await shown.waitFor();
    const width = await shown.evaluate((image) =>
      (image as HTMLImageElement).decode().then(() => (image as HTMLImageElement).naturalWidth),
    );
    assert.ok(width > 200, `${id} has its picture`);
    assert.notEqual(await shown.getAttribute('alt'), '');
    await picture(id);
    assert.equal(await check(id).getAttribute('aria-checked'), 'false', `${id} is not done yet`);
  }

  async function untilDone(id: string): Promise<void> {
    await tab().click();
    await check(id).and(workbench().page.locator('[aria-checked="true"]')).waitFor();
  }

  before(async () => {
    await workbench().openView('Duplex'); // the extension is there
    await workbench().palette.choose('Welcome: Open Walkthrough...', title);
    await workbench().page.locator('.gettingStartedContainer').getByText(title).first().waitFor();
    await tab().dblclick(); // else the next editor takes its place
  });

  it('asks the offline guide something', async () => {
    await openStep('offline');
    await button('Open Chat').click();
    const chat = await Chat.open(workbench());
    await chat.ask('what can you do?');
    await chat.untilIdle();
    await untilDone('offline');
  });
});
