import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from '../harness/workbench.ts';

/** The editor tab with the questions that no chat caused. It opens by itself. */
export async function consentPanel(workbench: Workbench): Promise<FrameLocator> {
  return workbench.webview('Permission');
}

export async function permissionQuestion(workbench: Workbench, name: RegExp): Promise<Locator> {
  const panel = await consentPanel(workbench);
  const question = panel.getByRole('group', { name });
  await question.waitFor();
  return question;
}
