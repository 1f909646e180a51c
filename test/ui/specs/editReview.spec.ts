import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { originalText, useOutsideEditor } from '../pages/outsideEditor.ts';

/** The pictures in out/looks are for people; the tests hold what a machine can see of them. */
describe('The review of an edit that a program outside proposes', () => {
  const workbench = useSharedWorkbench(actingWindow);
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `edit-review-${name}.png`));
  const { client, review, file, propose } = useOutsideEditor(workbench);

  it('tells who proposes what and why, and Accept makes the change without saving it', async () => {
    const { result } = await propose('accepted.txt', 'Loud numbers [click](command:workbench.action.quit)');
    const toast = await workbench().notifications.waitFor(/outsider.* proposes a change to accepted.txt. Loud numbers/);
    const links = await toast.locator('.notification-list-item-message a').allTextContents();
    assert.deepEqual(links, ['“outsider 1.0.0” proposes a change to accepted.txt.'], 'no link but ours');
    await review().thread.getByText('Changes accepted.txt.').waitFor();
    await review().thread.getByText('Loud numbers [click] (command:workbench.action.quit)').waitFor();
    assert.equal(await review().thread.locator('a[href]').count(), 0, 'nothing in it is a link');
    await picture('light');
    await review().accept.click();
    assert.deepEqual(await result.then(({ outcome, text }) => [outcome, text]), ['accepted', undefined]);
    assert.equal(await readFile(file('accepted.txt'), 'utf8'), originalText);
    await review().tab('proposed by').waitFor({ state: 'detached' });
    await toast.waitFor({ state: 'detached' });
  });

  it('is answered on the thread at the first change as well', async () => {
    const accepted = await propose('onThread.txt', 'Loud numbers');
    await review().threadButton('Reject').waitFor();
    assert.equal(await review().threadButton('Accept and save').count(), 0, 'nobody asked for that');
    await review().threadButton('Accept').click();
    assert.equal((await accepted.result).outcome, 'accepted');
    await review().tab('proposed by').waitFor({ state: 'detached' });
    const rejected = await propose('onThreadToo.txt');
    await review().thread.getByText('outsider 1.0.0', { exact: true }).waitFor();
    await review().threadButton('Reject').click();
    await review().giveReason('not so loud');
    assert.equal((await rejected.result).reason, 'not so loud');
    await review().tab('proposed by').waitFor({ state: 'detached' });
  });

  it("takes one block back with VS Code's own arrow, and the rest is accepted", async () => {
    const { result } = await propose('partly.txt');
    await review().takeFirstBlockBack();
    await review().proposed.filter({ hasText: 'two' }).waitFor();
    await picture('block-taken-back');
    await review().accept.click();
    assert.deepEqual(await result.then(({ outcome, text }) => [outcome, text]), [
      'partlyAccepted',
      originalText.replace('eleven', 'ELEVEN'),
    ]);
    await review().tab('proposed by').waitFor({ state: 'detached' });
  });

  it('asks for a reason on Reject; Escape there goes back to the change, Enter tells the client', async () => {
    const { result } = await propose('rejected.txt');
    await review().reject.click();
    await workbench().palette.widget.getByText('Reason', { exact: true }).waitFor();
    await picture('reason');
    await workbench().palette.input.press('Escape');
    await review().reject.click();
    await review().giveReason('Numbers are quiet here');
    assert.deepEqual(await result.then(({ outcome, reason, text }) => [outcome, reason, text]), [
      'rejected',
      'Numbers are quiet here',
      originalText,
    ]);
    await review().tab('proposed by').waitFor({ state: 'detached' });
  });

  it('goes away when the client cancels the call', async () => {
    await writeFile(file('cancelled.txt'), originalText);
    const cancelling = new AbortController();
    const call = client().callTool(
      { name: 'propose_edit', arguments: { path: 'cancelled.txt', newText: '' } },
      { signal: cancelling.signal },
    );
    call.catch(() => undefined); // cancelled below
    await review().waitFor(/cancelled.txt \(proposed by outsider/);
    cancelling.abort();
    await review().tab('proposed by').waitFor({ state: 'detached' });
    assert.equal(await readFile(file('cancelled.txt'), 'utf8'), originalText);
  });
});
