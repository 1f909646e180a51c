import type { Frame, Locator, Page } from 'playwright-core';
import { webviewByTitle } from './webviews.ts';

const questionMilliseconds = 30_000;

/** A window, be it the only one or one of several. */
interface HasPage {
  readonly page: Page;
}

/** The editor tab with the questions that no chat caused. It opens by itself. */
export async function consentPanel({ page }: HasPage): Promise<Frame> {
  return webviewByTitle(page, 'Permission');
}

/** The panel may close after one answer and open for the next question: it is looked up until it shows this one. */
export async function permissionQuestion(window: HasPage, name: RegExp): Promise<Locator> {
  const deadline = Date.now() + questionMilliseconds;
  for (;;) {
    const question = (await consentPanel(window)).getByRole('group', { name });
    try {
      await question.waitFor({ timeout: 2_000 });
      return question;
    } catch (error) {
      if (Date.now() > deadline) {
        throw new Error(`No question is called ${String(name)}; ${await whatIsThere(window)}`, { cause: error });
      }
    }
  }
}

async function whatIsThere(window: HasPage): Promise<string> {
  const tabs = await window.page.locator('.tabs-container .tab').allInnerTexts();
  const said = (await consentPanel(window)).locator('body').innerText({ timeout: 2_000 });
  return `the tabs are ${tabs.join(', ')}, and the panel says: ${await said.catch(String)}`;
}
