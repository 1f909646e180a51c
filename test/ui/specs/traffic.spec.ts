import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import type { Frame, Locator } from 'playwright-core';
import { newcomerWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually } from '../pages/discovery.ts';
import { allow } from '../pages/questions.ts';

/** What a running server and the chat say to each other. */
describe('Traffic', () => {
  const workbench = useSharedWorkbench(newcomerWindow);
  let frame: Frame;
  const grid = (): Locator => frame.getByRole('grid', { name: 'Messages' });
  const calls = (): Locator => grid().getByRole('row', { name: /tools\/call\s*roll_dice/ });
  const details = (): Locator => frame.getByRole('region', { name: 'Message' });
  const fileOf = (name: string): string => path.join(workbench().folders.workspace ?? '', name);

  before(async () => {
    const chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: Show Traffic');
    frame = await workbench().webview('Traffic');
    await frame.getByRole('status').filter({ hasText: ' since ' }).waitFor();
    await chat.ask('run roll_dice with {"sides": 6, "count": 2}');
    await allow(chat.toolCall('demo', 'roll_dice').last(), 'Allow once');
    await chat.untilIdle();
  });

  it('has a call and its answer, found by what is in it', async () => {
    await frame.getByRole('searchbox', { name: 'Filter' }).fill('"sides"');
    await frame.getByRole('combobox', { name: 'Method' }).selectOption('tools/call');
    await calls().first().click();
    await details().getByText('roll_dice').first().waitFor();
    assert.equal(await grid().getByRole('row').count(), 2); // with the head
  });

  it('is exported, one exchange of it as a script that repeats it', async () => {
    await calls().first().click();
    await details().getByRole('button', { name: 'Export as script' }).click();
    const name = 'repeat-tools-call-roll-dice.mjs';
    await saved(name);
    const { stdout } = await promisify(execFile)(process.execPath, [fileOf(name)], { timeout: 60_000 });
    assert.match(stdout, /"content"/);
    await workbench().runCommand('View: Close All Editors');
  });

  it('sends a call again through the question that the person would get by hand', async () => {
    await details().getByRole('button', { name: 'Send again' }).click();
    await allow(await permissionQuestion(workbench(), /^Permission:.*roll_dice/), 'Allow once');
    await calls().nth(1).waitFor();
  });

  /** Takes the place that VS Code's own dialog offers. */
  async function saved(name: string): Promise<string> {
    await workbench().palette.acceptFile(name);
    return eventually('the file', async () => {
      const text = await readFile(fileOf(name), 'utf8').catch(() => '');
      return text === '' ? undefined : text;
    });
  }
});
