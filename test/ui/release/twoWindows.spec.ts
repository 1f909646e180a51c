import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { workbenchUrl } from '../../support/vscode/workbenchUrl.mjs';
import { sharedBrowser } from '../../support/page/browser.ts';
import { announcedWindows, eventually, startedProcesses, type OpenWindow } from '../harness/duplexProcesses.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { DuplexWindow } from '../pages/duplexWindow.ts';

const countWords = { title: 'Count words', name: 'count_words' };

describe('Two windows on the same folder', () => {
  const workbench = useWorkbench({ version: 'ceiling' });
  let first: DuplexWindow;
  let second: DuplexWindow;
  let elsewhere: BrowserContext | undefined;
  let announced: readonly OpenWindow[];

  const windows = (count: number): Promise<readonly OpenWindow[]> =>
    eventually(`${count} announced windows`, 30_000, async () => {
      const found = await announcedWindows(workbench().folders);
      return found.length === count ? found : undefined;
    });

  /** In a browser profile of its own: with two windows in one profile, this browser loads no more webviews in either. */
  async function openElsewhere(): Promise<Page> {
    elsewhere = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    const page = await elsewhere.newPage();
    const { folders, server } = workbench();
    await page.goto(workbenchUrl({ port: server.port, workspaceFolder: folders.workspace ?? '' }));
    return page;
  }
  after(() => elsewhere?.close());

  it('announce themselves each on its own', async () => {
    first = new DuplexWindow(workbench().page);
    await first.open();
    const [alone] = await windows(1);
    second = new DuplexWindow(await openElsewhere());
    await second.open();
    announced = [...(await windows(2))].sort((one) => (one.file === alone?.file ? -1 : 1));
    const different = (values: readonly unknown[]): number => new Set(values).size;
    assert.deepEqual(
      [
        different(announced.map(({ file }) => file)),
        different(announced.map(({ port }) => port)),
        different(announced.map(({ token }) => token)),
        different(announced.map(({ pid }) => pid)),
      ],
      [2, 2, 2, 2],
    );
    assert.equal(announced[0]?.file, alone?.file);
  });

  it('share a permission: what is allowed in one starts in the other without a question', async () => {
    await first.pressStart('demo');
    await first.allow(/^Permission:.*demo/, 'Allow');
    await first.untilRunning('demo');
    await second.pressStart('demo');
    await second.untilRunning('demo');
    assert.equal(await second.tab('Permission').count(), 0);
  });

  it('both run tools, each in a process of its own', async () => {
    await first.runTool(countWords, { text: 'one' }, /1\swords/);
    await second.runTool(countWords, { text: 'one two' }, /2\swords/);
    assert.equal((await startedProcesses(workbench().folders)).length, 4, 'a server and its supervisor for each window');
  });

  it('keep one record of what both did, whose chain holds until somebody changes a line', async () => {
    const page = await first.openPage('Duplex: Show Audit Log', 'Duplex Audit Log');
    const status = page.getByRole('status');
    // Browser profiles do not share secrets, so that neither window knows the key of the mark that the other made last.
    const holds = status.filter({ hasText: /^\s*The (?:chain holds|lines follow each other)/ });
    await holds.waitFor();
    const calls = page.getByRole('table', { name: 'Audit log' }).getByRole('row').filter({ hasText: 'Call count_words' });
    // What the other window did is in the file within a second, and on the page when it is read again.
    await eventually('the calls of both windows', 20_000, async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await holds.waitFor();
      return (await calls.filter({ hasText: 'Succeeded' }).count()) >= 2 ? true : undefined;
    });
    const [file = ''] = await findFiles(workbench().folders.data, 'audit.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"count_words"', '"count_sheep"'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    const number = text.split('\n').findIndex((line) => line.includes('"count_words"')) + 1;
    await status.filter({ hasText: `The chain is broken: line ${number} of audit.jsonl` }).waitFor();
    await writeFile(file, text);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await holds.waitFor();
  });

  it('share a revocation: what was allowed in one ends in both, and is asked about anew', async () => {
    const page = await second.openPage('Duplex: Manage Permissions', 'Duplex Permissions');
    const row = page.getByRole('row').filter({ hasText: 'start the server “demo”' }).first();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await second.untilRevoked('demo');
    await first.untilRevoked('demo');
    await eventually('the end of both servers', 10_000, async () =>
      (await startedProcesses(workbench().folders)).length === 2 ? true : undefined,
    );
    await first.pressStart('demo');
    await first.allow(/^Permission:.*demo/, 'Allow');
    await first.untilRunning('demo');
    await second.pressStart('demo');
    await second.untilRunning('demo');
  });

  it('do not miss each other: one goes on working when the other is closed, and only the closed one is no longer announced', async () => {
    await second.page.close();
    const left = await windows(1);
    assert.deepEqual(
      left.map(({ file, port }) => ({ file, port })),
      announced.slice(0, 1).map(({ file, port }) => ({ file, port })),
    );
    await first.runTool(countWords, { text: 'one two three' }, /3\swords/);
    await eventually('the end of what the closed window started', 10_000, async () =>
      (await startedProcesses(workbench().folders)).length === 2 ? true : undefined,
    );
  });

  it('leave nothing behind when both are closed', async () => {
    await workbench().closeWindow();
    await windows(0);
    await eventually('the end of every process', 10_000, async () =>
      (await startedProcesses(workbench().folders)).length === 0 ? true : undefined,
    );
  });
});

async function findFiles(folder: string, name: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true });
  return found.filter((file) => path.basename(file) === name).map((file) => path.join(folder, file));
}
