import assert from 'node:assert/strict';
import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { useOutsideEditor } from '../pages/outsideEditor.ts';

/** The pictures in out/looks are for people; the tests hold what a machine can see of them. */
describe('The looks of a review, and the ways back to it', () => {
  const workbench = useSharedWorkbench(actingWindow);
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `edit-review-${name}.png`));
  const { review, propose } = useOutsideEditor(workbench);

  it('has a notification that leads to its diff', async () => {
    const { result } = await propose('shown.txt');
    await workbench().runCommand('File: New Untitled Text File');
    await review().accept.waitFor({ state: 'hidden' });
    const toast = await workbench().notifications.waitFor(/outsider.* proposes a change to shown.txt/);
    await toast.locator('.notification-list-item-message a').click();
    await review().waitFor('shown.txt (proposed by outsider');
    await review().accept.click();
    assert.equal((await result).outcome, 'accepted');
    await toast.waitFor({ state: 'detached' });
  });

  it('waits on when its tab is closed, and is shown again on demand', async () => {
    const { result } = await propose('closed.txt');
    await review().tab('proposed by').locator('.tab-actions .action-label').first().click();
    await review().tab('proposed by').waitFor({ state: 'detached' });
    await workbench().notifications.choose(/still waits for your answer/, 'Show');
    await review().waitFor('closed.txt (proposed by outsider');
    await workbench().runCommand('Duplex: Accept');
    assert.equal((await result).outcome, 'accepted');
  });

  it('counts as a waiting question on the icon and in the status bar, which leads back to its closed diff', async () => {
    const { result } = await propose('counted.txt');
    const waiting = workbench().statusBarItem('Duplex: 1');
    await waiting.waitFor();
    await workbench().views.badge('Duplex').filter({ hasText: '1' }).waitFor();
    await picture('counted');
    await review().tab('proposed by').locator('.tab-actions .action-label').first().click();
    await review().tab('proposed by').waitFor({ state: 'detached' });
    await waiting.click();
    await review().waitFor('counted.txt (proposed by outsider');
    await review().accept.click();
    assert.equal((await result).outcome, 'accepted');
    await waiting.waitFor({ state: 'detached' });
    await workbench().views.badge('Duplex').waitFor({ state: 'hidden' });
  });

  it('looks at home in every theme', async () => {
    const { result } = await propose('themes.txt');
    const themes = [
      ['Dark Modern', 'vs-dark'],
      ['Dark High Contrast', 'hc-black'],
      ['Light High Contrast', 'hc-light'],
      ['Light Modern', 'vs'],
    ] as const;
    for (const [theme, themeClass] of themes) {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await workbench().page.locator(`.monaco-workbench.${themeClass}`).waitFor();
      await review().accept.waitFor();
      await picture(theme);
    }
    await review().reject.click();
    await review().giveReason('');
    assert.deepEqual(await result.then(({ outcome, reason }) => [outcome, reason]), ['rejected', undefined]);
  });
});
