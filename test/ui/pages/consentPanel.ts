import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from '../harness/workbench.ts';

const questionMilliseconds = 30_000;

/** The editor tab with the questions that no chat caused. It opens by itself. */
export async function consentPanel(workbench: Workbench): Promise<FrameLocator> {
  return workbench.webview('Permission');
}

/** The panel may close after one answer and open for the next question: it is looked up until it shows this one. */
export async function permissionQuestion(workbench: Workbench, name: RegExp): Promise<Locator> {
  const deadline = Date.now() + questionMilliseconds;
  for (;;) {
    const question = (await consentPanel(workbench)).getByRole('group', { name });
    try {
      await question.waitFor({ timeout: 2_000 });
      return question;
    } catch (error) {
      if (Date.now() > deadline) {
        throw new Error(`No question is called ${String(name)}; ${await whatIsThere(workbench)}`, { cause: error });
      }
    }
  }
}

async function whatIsThere(workbench: Workbench): Promise<string> {
  const tabs = await workbench.page.locator('.tabs-container .tab').allInnerTexts();
  const said = (await consentPanel(workbench)).locator('body').innerText({ timeout: 2_000 });
  return `the tabs are ${tabs.join(', ')}, and the panel says: ${await said.catch(String)}`;
}
