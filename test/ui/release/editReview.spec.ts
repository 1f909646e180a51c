import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { outFolder } from '../../support/run/repository.mjs';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { allowEverything } from '../pages/attentivePerson.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { EditReview } from '../pages/editReview.ts';

const original = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', ''].join('\n');
const proposed = original.replace('two', 'TWO').replace('eleven', 'ELEVEN');

interface Outcome {
  readonly outcome: string;
  readonly reason?: string;
  readonly text?: string;
}

/** The pictures in out/looks are for people; the tests hold what a machine can see of them. */
describe('The looks of a review, and the ways back to it', () => {
  const workbench = useSharedWorkbench(actingWindow);
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `edit-review-${name}.png`));
  let client: Client;
  let review: EditReview;

  before(async () => {
    await workbench().openView('Duplex');
    review = new EditReview(workbench());
    const window = await readDiscovery(workbench().folders.home);
    client = new Client({ name: 'outsider', version: '1.0.0' });
    const headers = { authorization: `Bearer ${window.token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(window.urls.mcp), { requestInit: { headers } }));
    const person = allowEverything(workbench(), { role: 'Editor' });
    await client.callTool({ name: 'list_workspace_folders', arguments: {} });
    await person.stop();
  });

  after(() => client.close());

  function file(name: string): string {
    return path.join(workbench().folders.workspace ?? '', name);
  }

  async function propose(name: string, description?: string): Promise<{ readonly result: Promise<Outcome> }> {
    await writeFile(file(name), original);
    const call = client.callTool(
      { name: 'propose_edit', arguments: { path: name, newText: proposed, ...(description !== undefined && { description }) } },
      { onprogress: () => undefined, timeout: 100_000 },
    );
    const result = call.then(({ structuredContent, content }) => {
      assert.ok(structuredContent, JSON.stringify(content));
      return structuredContent as unknown as Outcome;
    });
    result.catch(() => undefined); // looked at later
    await review.waitFor(new RegExp(`${name} \\(proposed by outsider`));
    return { result };
  }

  it('has a notification that leads to its diff', async () => {
    const { result } = await propose('shown.txt');
    await workbench().runCommand('File: New Untitled Text File');
    await review.accept.waitFor({ state: 'hidden' });
    const toast = await workbench().notifications.waitFor(/outsider.* proposes a change to shown.txt/);
    await toast.locator('.notification-list-item-message a').click();
    await review.waitFor('shown.txt (proposed by outsider');
    await review.accept.click();
    assert.equal((await result).outcome, 'accepted');
    await toast.waitFor({ state: 'detached' });
  });

  it('waits on when its tab is closed, and is shown again on demand', async () => {
    const { result } = await propose('closed.txt');
    await review.tab('proposed by').locator('.tab-actions .action-label').first().click();
    await review.tab('proposed by').waitFor({ state: 'detached' });
    await workbench().notifications.choose(/still waits for your answer/, 'Show');
    await review.waitFor('closed.txt (proposed by outsider');
    await workbench().runCommand('Duplex: Accept');
    assert.equal((await result).outcome, 'accepted');
  });

  it('counts as a waiting question on the icon and in the status bar, which leads back to its closed diff', async () => {
    const { result } = await propose('counted.txt');
    const waiting = workbench().statusBarItem('Duplex: 1');
    await waiting.waitFor();
    await workbench().views.badge('Duplex').filter({ hasText: '1' }).waitFor();
    await picture('counted');
    await review.tab('proposed by').locator('.tab-actions .action-label').first().click();
    await review.tab('proposed by').waitFor({ state: 'detached' });
    await waiting.click();
    await review.waitFor('counted.txt (proposed by outsider');
    await review.accept.click();
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
      await review.accept.waitFor();
      await picture(theme);
    }
    await review.reject.click();
    await review.giveReason('');
    assert.deepEqual(await result.then(({ outcome, reason }) => [outcome, reason]), ['rejected', undefined]);
  });
});
