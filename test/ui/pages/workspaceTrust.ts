import type { Page } from 'playwright-core';

import { CommandPalette } from './commandPalette.ts';

/** Leaves Restricted Mode the way a person does. */
export async function grantTrust(page: Page): Promise<void> {
  await new CommandPalette(page).run('Workspaces: Manage Workspace Trust');
  await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
  await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
}
